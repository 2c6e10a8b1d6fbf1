/*
 * tid_set_layout.h
 *		What a TID set is made of: for tid_set.c, which fills it, and
 *		tid_pages.c and tid_image.c, which make it flat.  For nobody else.
 */
#ifndef SSDPAR_TID_SET_LAYOUT_H
#define SSDPAR_TID_SET_LAYOUT_H

#include "access/htup_details.h"
#include "starscan/tid_set.h"

/* Pages of a neighbourhood. */
#define SSDPAR_NEIGHBOUR_SHIFT 6
#define SSDPAR_NEIGHBOURS (1 << SSDPAR_NEIGHBOUR_SHIFT)

/* Pages of a region at least; more if the directory would be too large. */
#define SSDPAR_MIN_REGION_SHIFT (SSDPAR_NEIGHBOUR_SHIFT + 4)

/* Words of 32 rows a page of a heap may need (291 rows at BLCKSZ 8192). */
#define SSDPAR_MAX_STRIDE (MaxHeapTuplesPerPage / 32 + 1)

/* More than any row's word number: no row makes a lossy place wider. */
#define SSDPAR_LOSSY 0x10000

/*
 * Memory is counted in units: one word for each page of a neighbourhood, and
 * also the smallest region.
 */
#define SSDPAR_UNIT (SSDPAR_NEIGHBOURS * sizeof(uint32))

typedef struct SsdparNeighbourhood
{
	union
	{
		uint32	   *rows;		/* exact: stride words for each page */
		uint64		pages;		/* lossy: one bit for each page */
	};
	uint32		stride;			/* 0 while empty, or SSDPAR_LOSSY */
} SsdparNeighbourhood;

/* Stands for a region all of whose pages are in the set. */
extern SsdparNeighbourhood ssdpar_whole_region;
#define SSDPAR_WHOLE_REGION (&ssdpar_whole_region)

struct SsdparTidSet
{
	MemoryContext context;
	BlockNumber nblocks;
	uint32		region_shift;	/* of a block number */
	uint32		nregions;
	uint32		neighbours;		/* of a region; a power of two */
	uint32		usual_stride;
	SsdparNeighbourhood **regions;	/* NULL where nothing was added */
	const SsdparTidSet *within;
	uint64		nexact;			/* neighbourhoods that are */
	uint32		hand_region;	/* where to look for one to make lossy */
	uint32		hand;
	uint64		max_units;
	uint64		used_units;
	uint64		next_block_units;
	char	   *fresh;			/* never used before */
	uint64		fresh_units;
	void	   *free[SSDPAR_MAX_STRIDE + 1];	/* lists, by number of units */
};

/*
 * The neighbourhood of a block below nblocks, NULL if there is none.  In a
 * whole region it is a lossy one with all pages.
 */
static inline const SsdparNeighbourhood *
ssdpar_tid_set_place(const SsdparTidSet *set, BlockNumber block)
{
	const SsdparNeighbourhood *region;

	region = set->regions[block >> set->region_shift];
	if (region == NULL || region == SSDPAR_WHOLE_REGION)
		return region;
	return region + ((block >> SSDPAR_NEIGHBOUR_SHIFT) &
					 (set->neighbours - 1));
}

/*
 * Add a neighbourhood, beginning with this block, or a whole region of another
 * set of the same shape.  What the set is within is not asked.
 */
extern void ssdpar_tid_set_add_place(SsdparTidSet *set, BlockNumber first,
									 const SsdparNeighbourhood *other);
extern void ssdpar_tid_set_add_region(SsdparTidSet *set, uint32 number);

#endif							/* SSDPAR_TID_SET_LAYOUT_H */
