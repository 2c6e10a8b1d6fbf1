/*
 * memory_calibration.c
 *		Measures the time of a memory access that misses all caches, and the
 *		size from which tables miss them.
 *
 * We follow a chain of places, each of which contains the position of the
 * next. So neither the compiler nor the processor can start an access before
 * the previous one has ended, as when visiting a hash table.  The chain visits
 * every place of an area once before it returns to its start, in an order that
 * no hardware prefetcher predicts.
 *
 * Accesses to a large area also have to read page tables, which takes longer
 * in a virtual machine.  That is included, because tables of that size pay for
 * it.
 *
 * The last area exceeds all caches (cache_size.c), but is at most 512 MB,
 * because the time to fill and follow larger ones grows faster than their
 * size.
 */
#include "postgres.h"

#include <time.h>

#include "miscadmin.h"
#include "utils/memutils.h"

#include "device/cache_size.h"
#include "device/memory_calibration.h"

/* One place: the unit that a processor fetches. */
#define LINE_BYTES 64

/* Areas start with this size, and each is twice as large as the one before. */
#define FIRST_BYTES ((Size) 256 * 1024)
#define MOST_AREAS 12

StaticAssertDecl(FIRST_BYTES << (MOST_AREAS - 1) == SSDPAR_AREA_MOST,
				 "areas end with the largest");

#define ACCESSES 60000

/*
 * For each area; the least time counts, because other work can only lengthen
 * it.
 */
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

/* Seconds per access, once the caches hold as much of the area as fits. */
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
 * Allocates the largest area, of BYTES.  A server with this amount of shared
 * buffers can use as much again for a moment, whereas a smaller machine might
 * kill the process.
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

	/* cache size: the largest area with less than half the uncached time */
	while (cached + 1 < last && seconds[cached + 1] < 0.5 * seconds[last])
		cached++;
	machine->memory_access_seconds = seconds[last];
	machine->cache_bytes = (double) (FIRST_BYTES << cached);
}
