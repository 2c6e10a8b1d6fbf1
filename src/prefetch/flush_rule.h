/*
 * flush_rule.h
 *		Whether somebody waits for the device to flush its cache, by how often
 *		it has done so.  Pure arithmetic: no file, no clock, no server.
 *
 * Who writes synchronously spends most of the time in flushes, and a flush is
 * no write that is outstanding: the kernel counts it when it is over.  By that,
 *
 *		more than at the last look	a writer waits, and goes on to for twice as
 *									long as these flushes took
 *		fewer than one in 0.1 s		nobody does, once that is over
 *
 * since who has flushed writes again and flushes again, and is as slow as then.
 * What the kernel writes back by itself it does not flush: nobody waits for it.
 */
#ifndef SSDPAR_FLUSH_RULE_H
#define SSDPAR_FLUSH_RULE_H

#include <stdbool.h>
#include <stdint.h>

/* Of a device, since the machine began. */
typedef struct SsdparFlushes
{
	uint64_t	count;
	uint64_t	milliseconds;	/* of them all, one after another */
} SsdparFlushes;

/* What is known from one look to the next; zeroed to begin with. */
typedef struct SsdparFlushWait
{
	uint64_t	looked;			/* microseconds */
	SsdparFlushes flushes;		/* then */
	uint64_t	until;			/* somebody waits until then, microseconds */
} SsdparFlushWait;

/* Flushes further apart than this, in microseconds, are another one's. */
#define SSDPAR_FLUSH_MOST_US 100000

/*
 * From the text of the kernel's "stat" file of a whole disk.  False if there are
 * none in it: Linux before 5.5, or a device that has no cache to flush.
 */
extern bool ssdpar_flushes_parse(const char *text, SsdparFlushes *flushes);

/* A look at the time now, which is not before the last one. */
extern SsdparFlushWait ssdpar_flush_step(SsdparFlushWait wait,
										 SsdparFlushes flushes, uint64_t now);

/* Does somebody wait then, by the look at that time? */
static inline bool
ssdpar_flush_waits(SsdparFlushWait wait, uint64_t now)
{
	return now < wait.until;
}

#endif							/* SSDPAR_FLUSH_RULE_H */
