/*
 * tid_memory.c
 *		Memory of one TID bitmap: a limited number of equal units.
 *
 * A bitmap widens neighborhoods one after another, each time freeing the
 * narrower run. palloc() rounds up to powers of two and adds a header to each
 * chunk, which wastes a quarter to nearly a half for runs of 3, 5 or 9 units.
 * Therefore this file keeps lists of free runs in large blocks, which are
 * freed with the context.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "base/compat.h"
#include "tids/tid_memory.h"

/*
 * Memory is allocated in blocks that grow from 8 kB to 256 kB, so that a
 * bitmap with few rows stays small and one with many rows rarely allocates.
 */
#define FIRST_BLOCK_UNITS 32
#define MAX_BLOCK_UNITS 1024

void
ssdpar_tid_memory_init(SsdparTidMemory *memory, MemoryContext context,
					   Size max_bytes, Size used_bytes)
{
	memset(memory, 0, sizeof(SsdparTidMemory));
	memory->context = context;
	memory->max_units = max_bytes / SSDPAR_TID_UNIT;
	memory->used_units = used_bytes / SSDPAR_TID_UNIT;
	memory->next_block_units = FIRST_BLOCK_UNITS;
}

/* The first bytes of a free run point to the next one.  */
void
ssdpar_tid_memory_give(SsdparTidMemory *memory, void *run, uint32 units)
{
	Assert(units >= 1 && units <= SSDPAR_MAX_STRIDE);
	*(void **) run = memory->free[units];
	memory->free[units] = run;
}

/* Takes the shortest free run that is long enough and frees its remainder.  */
static void *
take_free(SsdparTidMemory *memory, uint32 units)
{
	for (uint32 size = units; size <= SSDPAR_MAX_STRIDE; size++)
	{
		char	   *run = memory->free[size];

		if (run == NULL)
			continue;
		memory->free[size] = *(void **) run;
		if (size > units)
			ssdpar_tid_memory_give(memory, run + units * SSDPAR_TID_UNIT,
								   size - units);
		return run;
	}
	return NULL;
}

/*
 * Allocates a block of at least units units if the limit allows it.  The rest
 * of the previous block remains usable for short runs.
 */
static bool
take_block(SsdparTidMemory *memory, uint32 units)
{
	uint64		left = memory->max_units -
		Min(memory->used_units, memory->max_units);
	uint64		wanted = Min(Max(units, memory->next_block_units), left);

	if (wanted < units)
		return false;
	while (memory->fresh_units > 0)
	{
		uint32		rest = Min(memory->fresh_units, SSDPAR_MAX_STRIDE);

		ssdpar_tid_memory_give(memory, memory->fresh, rest);
		memory->fresh += rest * SSDPAR_TID_UNIT;
		memory->fresh_units -= rest;
	}
	memory->fresh = MemoryContextAllocHuge(memory->context,
										   wanted * SSDPAR_TID_UNIT);
	memory->fresh_units = wanted;
	memory->used_units += wanted;
	memory->next_block_units = Min(memory->next_block_units * 2,
								   MAX_BLOCK_UNITS);
	Assert(memory->used_units <= memory->max_units);
	return true;
}

/*
 * Runs are zeroed when they are taken, because freed runs contain old bits and
 * a link.  Fresh units are preferred while there are enough: this keeps a
 * block's runs together and does not split free runs early.
 */
void *
ssdpar_tid_memory_take(SsdparTidMemory *memory, uint32 units)
{
	char	   *run;

	if (memory->fresh_units < units &&
		(run = take_free(memory, units)) != NULL)
		return memset(run, 0, units * SSDPAR_TID_UNIT);
	if (memory->fresh_units < units && !take_block(memory, units))
		return NULL;
	run = memory->fresh;
	memory->fresh += units * SSDPAR_TID_UNIT;
	memory->fresh_units -= units;
	return memset(run, 0, units * SSDPAR_TID_UNIT);
}
