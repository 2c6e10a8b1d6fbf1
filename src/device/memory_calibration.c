/*
 * memory_calibration.c
 *		Measures what an access to memory takes that no cache holds, and from
 *		which size on a table is one that none holds.
 *
 * A chain of places, each of which says where the next is, so that neither the
 * compiler nor the processor can begin an access before the last has ended:
 * that is how a hash table is visited.  It leads by every place of an area once
 * before it comes back, in an order that no prefetcher of a processor guesses.
 *
 * An access of a large area takes a look at page tables as well, which a
 * virtual machine makes dearer; it counts, since tables of that size pay it.
 *
 * The last area is past all caches (cache_size.c), up to 512 MB: to lay out and
 * follow all areas up to 64 MB took 0.1 s on the reference machine, to 128 MB
 * 0.2 s, to 512 MB 0.5 s, and to 1 GB 1.7 s.
 */
#include "postgres.h"

#include <time.h>

#include "miscadmin.h"
#include "utils/memutils.h"

#include "device/cache_size.h"
#include "device/memory_calibration.h"

/* One place: what a processor fetches at once. */
#define LINE_BYTES 64

/* Areas from the first size on, each twice the one before. */
#define FIRST_BYTES ((Size) 256 * 1024)
#define MOST_AREAS 12

StaticAssertDecl(FIRST_BYTES << (MOST_AREAS - 1) == SSDPAR_AREA_MOST,
				 "areas end with the largest");

#define ACCESSES 60000

/* Of each area; the least time counts, since others can only lengthen it. */
#define ROUNDS 3

/*
 * A linear congruential generator modulo a power of two has its full period
 * with an odd increment and a multiplier of the form 4k + 1 (Hull and Dobell
 * 1962).
 */
#define MULTIPLIER UINT64CONST(1664525)
#define INCREMENT UINT64CONST(1013904223)

typedef struct Line
{
	uint64		next;
	char		unused[LINE_BYTES - sizeof(uint64)];
} Line;

static double
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
	return (double) time.tv_sec + (double) time.tv_nsec * 1e-9;
}

static void
lay_chain(Line *lines, uint64 nlines)
{
	for (uint64 i = 0; i < nlines; i++)
		lines[i].next = (i * MULTIPLIER + INCREMENT) & (nlines - 1);
}

/* Seconds of an access, once the area is in the caches as far as it fits. */
static double
access_seconds(const Line *lines, uint64 nlines)
{
	double		least = 0.0;
	volatile uint64 end;
	uint64		at = 0;

	for (int round = -1; round < ROUNDS; round++)
	{
		double		before = now();
		double		seconds;

		for (int i = 0; i < ACCESSES; i++)
			at = lines[at].next;
		end = at;
		seconds = (now() - before) / ACCESSES;
		if (round == 0 || (round > 0 && seconds < least))
			least = seconds;
		CHECK_FOR_INTERRUPTS();
	}
	(void) end;
	return least;
}

/*
 * The largest area, of BYTES.  A server whose shared buffers have so much has
 * as much again for a moment; a machine that has not may kill who uses it.
 */
static Line *
take_area(Size *bytes)
{
	Line	   *lines = NULL;

	*bytes = ssdpar_area_past_cache(ssdpar_largest_cache(""),
									(Size) NBuffers * BLCKSZ);
	while (lines == NULL && *bytes > SSDPAR_AREA_LEAST)
	{
		lines = MemoryContextAllocExtended(CurrentMemoryContext, *bytes,
										   MCXT_ALLOC_HUGE |
										   MCXT_ALLOC_NO_OOM);
		if (lines == NULL)
			*bytes /= 2;
	}
	return lines != NULL ? lines : palloc(*bytes);
}

void
ssdpar_memory_calibration_measure(SsdparMachine *machine)
{
	Size		bytes;
	Line	   *lines = take_area(&bytes);
	double		seconds[MOST_AREAS];
	int			last = 0;
	int			cached = 0;

	for (;; last++)
	{
		uint64		nlines = (FIRST_BYTES << last) / LINE_BYTES;

		lay_chain(lines, nlines);
		seconds[last] = access_seconds(lines, nlines);
		if (FIRST_BYTES << last == bytes)
			break;
	}
	pfree(lines);

	/* half of it past the caches: what they hold is about this large */
	while (cached + 1 < last && seconds[cached + 1] < 0.5 * seconds[last])
		cached++;
	machine->memory_access_seconds = seconds[last];
	machine->cache_bytes = (double) (FIRST_BYTES << cached);
}
