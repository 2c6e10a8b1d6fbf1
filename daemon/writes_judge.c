/*
 * writes_judge.c
 *		What a device's counters say of those who write to it.
 */
#include "writes.h"

#include <inttypes.h>
#include <stdio.h>

/* Fewer in 50 ms is nobody who writes again and again. */
#define LEAST_WRITES 4

/* A device that has time takes 0.05 to 0.3 ms, beside large reads 1 to 5. */
#define SLOW_US 500

/*
 * Who waits for each write has one outstanding.  So many at a time are written
 * back from memory, and nobody waits for each.
 */
#define MOST_OUTSTANDING 8

bool
ssdpard_writes_parse(const char *text, SsdpardWrites *writes)
{
	uint64_t number;
	uint64_t took;
	uint64_t flushes = 0;
	uint64_t flush_took = 0;

	/* reads: number, merged, sectors, ms; writes: the same; discards ... */
	if (sscanf(text, "%*u %*u %*u %*u %" SCNu64 " %*u %*u %" SCNu64
			   " %*u %*u %*u %*u %*u %*u %*u %" SCNu64 " %" SCNu64,
			   &number, &took, &flushes, &flush_took) < 2)
		return false;
	writes->ended = number + flushes;
	writes->took_ms = took + flush_took;
	return true;
}

bool
ssdpard_writes_are_slow(const SsdpardWrites *before,
						const SsdpardWrites *after, uint64_t apart_us)
{
	uint64_t ended = after->ended - before->ended;
	uint64_t took_us = (after->took_ms - before->took_ms) * 1000;

	if (after->ended < before->ended || after->took_ms < before->took_ms)
		return false;			/* another device of the same name */
	return ended >= LEAST_WRITES && took_us / ended >= SLOW_US &&
		took_us / MOST_OUTSTANDING <= apart_us;
}
