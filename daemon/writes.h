/*
 * writes.h
 *		Whether somebody waits for writes to a device.
 */
#ifndef SSDPARD_WRITES_H
#define SSDPARD_WRITES_H

#include <stdbool.h>
#include <stdint.h>

/* What the kernel has counted since the device came. */
typedef struct SsdpardWrites
{
	uint64_t ended;				/* writes and flushes */
	uint64_t took_ms;			/* all of them in sum */
} SsdpardWrites;

/* writes_judge.c, pure: false if it is no text of a device's "stat" file. */
extern bool ssdpard_writes_parse(const char *text, SsdpardWrites *writes);

/*
 * Between these two looks, a time apart, has somebody written who waits for
 * each of his writes, and longer than a device takes that has time for him?
 */
extern bool ssdpard_writes_are_slow(const SsdpardWrites *before,
									const SsdpardWrites *after,
									uint64_t apart_us);

/* One device, looked at from time to time; zeroed memory never was. */
typedef struct SsdpardWritesWatch
{
	SsdpardWrites seen;
	uint64_t looked;			/* us; 0: never */
	uint64_t slow;				/* when they were slow last; 0: never */
} SsdpardWritesWatch;

/*
 * writes.c: are writes to the device with this number (st_dev) slow?  To be
 * called often while there are large reads; it looks every 50 ms.  False where
 * the kernel does not count, as in file systems on no device of their own.
 */
extern bool ssdpard_writes_watch(SsdpardWritesWatch *watch, uint64_t number,
								 uint64_t now);

#endif							/* SSDPARD_WRITES_H */
