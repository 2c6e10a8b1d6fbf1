/*
 * writers.h
 *		Does any process of the server wait for a write?
 */
#ifndef SSDPAR_WRITERS_H
#define SSDPAR_WRITERS_H

typedef enum SsdparWriteWait
{
	SSDPAR_NO_WRITE_WAITS,
	SSDPAR_DATA_WAITS,			/* a table or index */
	SSDPAR_WAL_WAITS,			/* the write-ahead log: a commit, mostly */
} SsdparWriteWait;

/*
 * What any other process waits for now: takes some microseconds.  The
 * processes of this one's own parallel query do not count.
 */
extern SsdparWriteWait ssdpar_writers_look(void);

/* Processes to be looked at. */
extern int	ssdpar_writers_processes(void);

/* Up to where the write-ahead log is safe on its device. */
extern uint64 ssdpar_writers_log_position(void);

#endif							/* SSDPAR_WRITERS_H */
