/*
 * flush_rule.h
 *		Decides from the rate of device flushes whether a writer is waiting
 *		for them.  Pure arithmetic: no file, no clock, no server.
 *
 * A synchronous writer spends most of its time in flushes, and a flush is not
 * an outstanding write: the kernel counts it when it is finished.  Therefore:
 *
 *		more than at the last look	a writer waits, and will do so for twice as
 *									long as these flushes took
 *		fewer than one in 0.1 s		no writer waits, once that time is over
 *
 * because a process that has flushed will write and flush again, and will take
 * about as long.  Pages that the kernel writes back in the background are not
 * flushed, and no process waits for them.
 */
#ifndef SSDPAR_FLUSH_RULE_H
#define SSDPAR_FLUSH_RULE_H

#include <stdbool.h>
#include <stdint.h>

/* Totals of a device since boot. */
typedef struct SsdparFlushes
{
	uint64_t	count;
	uint64_t	milliseconds;	/* sum over all of them */
} SsdparFlushes;

/* State between two looks; initially zero. */
typedef struct SsdparFlushWait
{
	uint64_t	looked;			/* microseconds */
	SsdparFlushes flushes;		/* at that time */
	uint64_t	until;			/* a writer waits until then, microseconds */
} SsdparFlushWait;

/*
 * Flushes further apart than this, in microseconds, do not belong to the same
 * writer.
 */
#define SSDPAR_FLUSH_MOST_US 100000

/*
 * Parses the kernel's "stat" file of a whole disk.  Returns false if it does
 * not count flushes: Linux before 5.5, or a device without a cache to flush.
 */
extern bool ssdpar_flushes_parse(const char *text, SsdparFlushes *flushes);

/* Evaluates a look at time now, which is not before the previous one. */
extern SsdparFlushWait ssdpar_flush_step(SsdparFlushWait wait,
										 SsdparFlushes flushes, uint64_t now);

/* Does a writer wait at that time, according to the last look? */
static inline bool
ssdpar_flush_waits(SsdparFlushWait wait, uint64_t now)
{
	return now < wait.until;
}

#endif							/* SSDPAR_FLUSH_RULE_H */
