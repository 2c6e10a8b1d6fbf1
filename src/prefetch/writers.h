/*
 * writers.h
 *		Does any process of the server wait for a write?
 */
#ifndef SSDPAR_WRITERS_H
#define SSDPAR_WRITERS_H

typedef enum SsdparWriteWait
{
	SSDPAR_NO_WRITE_WAITS,
	SSDPAR_DATA_WAITS,			/* for a table or an index */
	SSDPAR_WAL_WAITS,			/* for the write-ahead log, mostly a commit */
} SsdparWriteWait;

/*
 * What other processes currently wait for; takes some microseconds.  The
 * processes of this process's parallel query do not count.
 */
extern SsdparWriteWait ssdpar_writers_look(void);

/* Number of processes to examine. */
extern int	ssdpar_writers_processes(void);

/* Position up to which the write-ahead log has been flushed. */
extern uint64 ssdpar_writers_log_position(void);

#endif							/* SSDPAR_WRITERS_H */
