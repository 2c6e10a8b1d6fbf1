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
 */
#include "postgres.h"

#include <time.h>

#include "miscadmin.h"

#include "device/memory_calibration.h"

/* One place: what a processor fetches at once. */
#define LINE_BYTES 64

/* Areas from the first size on, each twice the one before. */
#define FIRST_BYTES ((Size) 256 * 1024)
#define AREAS 9
#define LAST_BYTES (FIRST_BYTES << (AREAS - 1))

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

void
ssdpar_memory_calibration_measure(SsdparMachine *machine)
{
	Line	   *lines = palloc(LAST_BYTES);
	double		seconds[AREAS];
	int			cached = 0;

	for (int i = 0; i < AREAS; i++)
	{
		uint64		nlines = (FIRST_BYTES << i) / LINE_BYTES;

		lay_chain(lines, nlines);
		seconds[i] = access_seconds(lines, nlines);
	}
	pfree(lines);

	/* half of it past the caches: what they hold is about this large */
	while (cached + 1 < AREAS - 1 &&
		   seconds[cached + 1] < 0.5 * seconds[AREAS - 1])
		cached++;
	machine->memory_access_seconds = seconds[AREAS - 1];
	machine->cache_bytes = (double) (FIRST_BYTES << cached);
}
