/*
 * tid_set.c
 *		A set of row addresses of one table.
 *
 * Two levels, both arrays: the table's regions, each made when its first row
 * is added, and a region's neighbourhoods of 64 pages.  A neighbourhood holds
 * one bit a row ("exact"), as wide as its highest row asks for, or one bit a
 * page ("lossy").  So adding a row takes three dependent reads and one bit,
 * and 30 million rows on 400,000 pages take 5 MB.
 *
 * When memory is used up, a neighbourhood that needs more of it becomes lossy:
 * the newest one.  TIDs arrive in the order of their keys, so each is as
 * likely as any other to need memory next, and looking for the densest instead
 * would cost a pass over all of them.  If not even a new region has room, exact
 * neighbourhoods are made lossy in turn, and if there are none left, all pages
 * of the new region are in the set.
 *
 * It knows nothing of indexes or visibility, and how the finished set is
 * shared among processes is the caller's business: tid_pages.c makes it flat.
 */
#include "postgres.h"

#include "storage/itemptr.h"
#include "utils/memutils.h"

#include "compat.h"
#include "starscan/tid_set.h"
#include "starscan/tid_set_layout.h"

/* Memory is taken from the server in blocks of 8 kB, growing to 256 kB. */
#define FIRST_BLOCK_UNITS 32
#define MAX_BLOCK_UNITS 1024

/* The directory of regions may take this part of the memory, or so much. */
#define DIRECTORY_PART 8
#define MIN_DIRECTORY_BYTES 4096

SsdparNeighbourhood ssdpar_whole_region = {
	.pages = ~UINT64CONST(0),
	.stride = SSDPAR_LOSSY,
};

static void
choose_regions(SsdparTidSet *set, Size max_bytes)
{
	Size		most = Max(max_bytes / DIRECTORY_PART, MIN_DIRECTORY_BYTES) /
		sizeof(SsdparNeighbourhood *);
	uint64		nblocks = set->nblocks;

	set->region_shift = SSDPAR_MIN_REGION_SHIFT;
	while ((nblocks >> set->region_shift) >= most)
		set->region_shift++;
	set->nregions = (nblocks >> set->region_shift) + 1;
	set->neighbours = 1 << (set->region_shift - SSDPAR_NEIGHBOUR_SHIFT);
}

SsdparTidSet *
ssdpar_tid_set_create(BlockNumber nblocks, Size max_bytes,
					  const SsdparTidSet *within)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "ssdpar TID set",
												  ALLOCSET_SMALL_SIZES);
	SsdparTidSet *set = MemoryContextAllocZero(context, sizeof(SsdparTidSet));

	set->context = context;
	set->nblocks = nblocks;
	set->within = within;
	set->next_block_units = FIRST_BLOCK_UNITS;
	set->usual_stride = 1;
	choose_regions(set, max_bytes);
	set->regions = MemoryContextAllocZero(context, set->nregions *
										  sizeof(SsdparNeighbourhood *));
	set->max_units = max_bytes / SSDPAR_UNIT;
	set->used_units = set->nregions * sizeof(SsdparNeighbourhood *) /
		SSDPAR_UNIT;
	return set;
}

/* Units come back in pieces of at most a neighbourhood's widest. */
static void
free_units(SsdparTidSet *set, void *memory, uint32 units)
{
	Assert(units >= 1 && units <= SSDPAR_MAX_STRIDE);
	*(void **) memory = set->free[units];
	set->free[units] = memory;
}

static void *
take_free_units(SsdparTidSet *set, uint32 units)
{
	for (uint32 size = units; size <= SSDPAR_MAX_STRIDE; size++)
	{
		char	   *memory = set->free[size];

		if (memory == NULL)
			continue;
		set->free[size] = *(void **) memory;
		if (size > units)
			free_units(set, memory + units * SSDPAR_UNIT, size - units);
		return memory;
	}
	return NULL;
}

/* What is left of the current block stays usable for small pieces. */
static void
retire_block(SsdparTidSet *set)
{
	while (set->fresh_units > 0)
	{
		uint32		units = Min(set->fresh_units, SSDPAR_MAX_STRIDE);

		free_units(set, set->fresh, units);
		set->fresh += units * SSDPAR_UNIT;
		set->fresh_units -= units;
	}
}

/* Take a block of at least so many units from the server, if allowed. */
static bool
take_block(SsdparTidSet *set, uint32 units)
{
	uint64		left = set->max_units - Min(set->used_units, set->max_units);
	uint64		wanted = Min(Max(units, set->next_block_units), left);

	if (wanted < units)
		return false;
	retire_block(set);
	set->fresh = MemoryContextAllocHuge(set->context, wanted * SSDPAR_UNIT);
	set->fresh_units = wanted;
	set->used_units += wanted;
	set->next_block_units = Min(set->next_block_units * 2, MAX_BLOCK_UNITS);
	return true;
}

/* Zeroed memory, or NULL if the set has all that it may. */
static void *
allocate_units(SsdparTidSet *set, uint32 units)
{
	char	   *memory;

	if (set->fresh_units < units &&
		(memory = take_free_units(set, units)) != NULL)
		return memset(memory, 0, units * SSDPAR_UNIT);
	if (set->fresh_units < units && !take_block(set, units))
		return NULL;
	memory = set->fresh;
	set->fresh += units * SSDPAR_UNIT;
	set->fresh_units -= units;
	return memset(memory, 0, units * SSDPAR_UNIT);
}

/* Which pages have rows, one bit each. */
static uint64
pages_with_rows(const SsdparNeighbourhood *place)
{
	uint64		pages = 0;

	if (place->stride == SSDPAR_LOSSY)
		return place->pages;
	for (int page = 0; page < SSDPAR_NEIGHBOURS; page++)
	{
		for (uint32 word = 0; word < place->stride; word++)
			pages |= (uint64) (place->rows[page * place->stride + word] != 0)
				<< page;
	}
	return pages;
}

static void
make_lossy(SsdparTidSet *set, SsdparNeighbourhood *place)
{
	uint64		pages = pages_with_rows(place);

	if (place->stride > 0)
	{
		free_units(set, place->rows, place->stride);
		set->nexact--;
	}
	place->stride = SSDPAR_LOSSY;
	place->pages = pages;
}

/* Go on around the regions to the next exact neighbourhood. */
static SsdparNeighbourhood *
next_exact(SsdparTidSet *set)
{
	Assert(set->nexact > 0);
	for (;;)
	{
		SsdparNeighbourhood *region = set->regions[set->hand_region];

		if (region == NULL || region == SSDPAR_WHOLE_REGION ||
			set->hand >= set->neighbours)
		{
			set->hand = 0;
			if (++set->hand_region == set->nregions)
				set->hand_region = 0;
			continue;
		}
		region += set->hand++;
		if (region->stride > 0 && region->stride != SSDPAR_LOSSY)
			return region;
	}
}

/* A region for its first row: at the cost of exactness where it must be. */
static SsdparNeighbourhood *
make_region(SsdparTidSet *set, uint32 number)
{
	uint32		units = set->neighbours * sizeof(SsdparNeighbourhood) /
		SSDPAR_UNIT;
	SsdparNeighbourhood *region = allocate_units(set, units);

	while (region == NULL && units == 1 && set->nexact > 0)
	{
		make_lossy(set, next_exact(set));
		region = allocate_units(set, units);
	}
	if (region == NULL)
		region = SSDPAR_WHOLE_REGION;
	set->regions[number] = region;
	return region;
}

static void
copy_wider(uint32 *to, uint32 to_stride, const uint32 *from,
		   uint32 from_stride)
{
	for (int page = 0; page < SSDPAR_NEIGHBOURS; page++)
		memcpy(to + page * to_stride, from + page * from_stride,
			   from_stride * sizeof(uint32));
}

/*
 * Words a page to begin with: as elsewhere in the table, or as in the set that
 * this one is within, where they are enough for all that can come.  So the
 * same memory is enough, too.  (Not for all that other processes may add: a
 * set's copy there can be less exact.)
 */
static uint32
choose_stride(SsdparTidSet *set, BlockNumber block, uint32 needed)
{
	const SsdparNeighbourhood *outer = NULL;

	set->usual_stride = Max(set->usual_stride, needed);
	if (set->within != NULL)
		outer = ssdpar_tid_set_place(set->within, block);
	if (outer == NULL || outer->stride == SSDPAR_LOSSY)
		return set->usual_stride;
	return Max(outer->stride, needed);
}

/* Make room for a row in this word of its page: wider, or else lossy. */
static void
widen(SsdparTidSet *set, SsdparNeighbourhood *place, BlockNumber block,
	  uint32 word)
{
	uint32		stride;
	uint32	   *rows = NULL;

	if (word < SSDPAR_MAX_STRIDE)
	{
		stride = choose_stride(set, block, word + 1);
		rows = allocate_units(set, stride);
	}
	if (rows == NULL)
	{
		make_lossy(set, place);
		return;
	}
	if (place->stride == 0)
		set->nexact++;
	else
	{
		copy_wider(rows, stride, place->rows, place->stride);
		free_units(set, place->rows, place->stride);
	}
	place->rows = rows;
	place->stride = stride;
}

static inline bool
contains(const SsdparTidSet *set, BlockNumber block, uint32 row)
{
	const SsdparNeighbourhood *place;
	uint32		page = block % SSDPAR_NEIGHBOURS;

	if (block >= set->nblocks)
		return false;
	place = ssdpar_tid_set_place(set, block);
	if (place == NULL)
		return false;
	if (place->stride == SSDPAR_LOSSY)
		return (place->pages >> page & 1) != 0;
	return row / 32 < place->stride &&
		(place->rows[page * place->stride + row / 32] >> (row % 32) & 1) != 0;
}

/* The place of a block, made if need be; NULL in a whole region. */
static inline SsdparNeighbourhood *
find_place(SsdparTidSet *set, BlockNumber block)
{
	SsdparNeighbourhood *region = set->regions[block >> set->region_shift];

	if (unlikely(region == NULL))
		region = make_region(set, block >> set->region_shift);
	if (unlikely(region == SSDPAR_WHOLE_REGION))
		return NULL;
	return region + ((block >> SSDPAR_NEIGHBOUR_SHIFT) &
					 (set->neighbours - 1));
}

static inline void
add_row(SsdparTidSet *set, BlockNumber block, uint32 row)
{
	SsdparNeighbourhood *place = find_place(set, block);
	uint32		page = block % SSDPAR_NEIGHBOURS;

	if (unlikely(place == NULL))
		return;
	if (unlikely(row / 32 >= place->stride))
		widen(set, place, block, row / 32);
	if (place->stride == SSDPAR_LOSSY)
		place->pages |= UINT64CONST(1) << page;
	else
		place->rows[page * place->stride + row / 32] |=
			UINT32_C(1) << (row % 32);
}

/*
 * Pages beyond the table's size came after the size was taken, which was after
 * the query's snapshot: nothing there is visible.  Offset 0, which no row has,
 * wraps around to one that makes its neighbourhood lossy.
 */
void
ssdpar_tid_set_add(SsdparTidSet *set, const ItemPointerData *tids, int ntids)
{
	const SsdparTidSet *within = set->within;

	for (int i = 0; i < ntids; i++)
	{
		BlockNumber block = ItemPointerGetBlockNumberNoCheck(&tids[i]);
		uint32		row = (OffsetNumber)
			(ItemPointerGetOffsetNumberNoCheck(&tids[i]) - 1);

		if (block < set->nblocks &&
			(within == NULL || contains(within, block, row)))
			add_row(set, block, row);
	}
}

/* Rows of both places, the other one being exact and no wider. */
static void
add_exact(SsdparNeighbourhood *place, const SsdparNeighbourhood *other)
{
	uint32		n = SSDPAR_NEIGHBOURS * other->stride;

	if (place->stride == other->stride)
	{
		for (uint32 i = 0; i < n; i++)
			place->rows[i] |= other->rows[i];
		return;
	}
	for (uint32 i = 0; i < n; i++)
		place->rows[i / other->stride * place->stride + i % other->stride] |=
			other->rows[i];
}

void
ssdpar_tid_set_add_place(SsdparTidSet *set, BlockNumber first,
						 const SsdparNeighbourhood *other)
{
	SsdparNeighbourhood *place = find_place(set, first);

	if (place == NULL || other->stride == 0)
		return;
	if (other->stride == SSDPAR_LOSSY && place->stride != SSDPAR_LOSSY)
		make_lossy(set, place);
	else if (other->stride > place->stride)
		widen(set, place, first, other->stride - 1);
	if (place->stride == SSDPAR_LOSSY)
		place->pages |= pages_with_rows(other);
	else
		add_exact(place, other);
}

/* What is exact there must not be counted any more. */
void
ssdpar_tid_set_add_region(SsdparTidSet *set, uint32 number)
{
	SsdparNeighbourhood *region = set->regions[number];

	if (region != NULL && region != SSDPAR_WHOLE_REGION)
	{
		for (uint32 i = 0; i < set->neighbours; i++)
		{
			if (region[i].stride != SSDPAR_LOSSY)
				make_lossy(set, &region[i]);
		}
	}
	set->regions[number] = SSDPAR_WHOLE_REGION;
}

void
ssdpar_tid_set_free(SsdparTidSet *set)
{
	MemoryContextDelete(set->context);
}
