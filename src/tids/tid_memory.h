/*
 * tid_memory.h
 *		Memory of one TID bitmap: a limited number of equal units.
 *
 * A unit is one word of 32 rows for each page of a neighborhood, so a
 * neighborhood takes as many units as its pages have words.  Units are
 * allocated, zeroed, and freed in runs.  Running out of units is normal and
 * never an error: the bitmap becomes less exact.
 */
#ifndef SSDPAR_TID_MEMORY_H
#define SSDPAR_TID_MEMORY_H

#include "access/htup_details.h"

/* Number of pages of a neighborhood.  */
#define SSDPAR_NEIGHBOUR_SHIFT 6
#define SSDPAR_NEIGHBOURS (1 << SSDPAR_NEIGHBOUR_SHIFT)

/* Words of 32 rows that a heap page may need (291 rows for BLCKSZ 8192).  */
#define SSDPAR_MAX_STRIDE (MaxHeapTuplesPerPage / 32 + 1)

#define SSDPAR_TID_UNIT (SSDPAR_NEIGHBOURS * sizeof(uint32))

/*
 * Invariant: used_units <= max_units, except for what was used at the
 * beginning.  The last fresh_units of the latest block have never been
 * allocated.  Every unit obtained from the server is in fresh, in one of the
 * lists, or allocated.
 */
typedef struct SsdparTidMemory
{
	MemoryContext context;
	uint64		max_units;
	uint64		used_units;		/* obtained from the server */
	uint64		next_block_units;
	char	   *fresh;			/* rest of the latest block */
	uint64		fresh_units;
	void	   *free[SSDPAR_MAX_STRIDE + 1];	/* lists, by number of units */
} SsdparTidMemory;

/*
 * Allows at most max_bytes in context, of which used_bytes are already used.
 */
extern void ssdpar_tid_memory_init(SsdparTidMemory *memory,
								   MemoryContext context, Size max_bytes,
								   Size used_bytes);

/* Returns this many units, zeroed; NULL if there are no more.  */
extern void *ssdpar_tid_memory_take(SsdparTidMemory *memory, uint32 units);

/* Frees a run of 1 to SSDPAR_MAX_STRIDE units.  */
extern void ssdpar_tid_memory_give(SsdparTidMemory *memory, void *run,
								   uint32 units);

#endif							/* SSDPAR_TID_MEMORY_H */
