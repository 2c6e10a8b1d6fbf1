/*
 * tid_bitmap.c
 *		A bitmap of row addresses of one table.
 *
 * It has two levels, both arrays: the table's regions, each created when its
 * first row is added, and a region's neighborhoods of 64 pages.  A
 * neighborhood has one bit for each row ("exact"), as wide as its highest row
 * requires, or one bit for each page ("lossy").  So adding a row takes three
 * dependent reads and sets one bit.
 *
 * When memory is exhausted, the neighborhood that needs more of it becomes
 * lossy.  TIDs arrive in the order of their keys, so each neighborhood is
 * equally likely to need memory next.  Searching for the densest one instead
 * would require a pass over all of them.  If there is no room for a new
 * region, exact neighborhoods are made lossy one after another, and if none
 * are left, all pages of the new region are in the bitmap.
 *
 * This file knows nothing about indexes and visibility.  tid_pages.c and
 * tid_flat.c convert a finished bitmap to forms without pointers, which
 * processes can share.
 */
#include "postgres.h"

#include "storage/itemptr.h"
#include "utils/memutils.h"

#include "base/compat.h"
#include "tids/tid_bitmap.h"

/*
 * The directory of regions may take this part of the memory, or at least
 * MIN_DIRECTORY_BYTES.  It exists before the first row and must leave room for
 * rows.
 */
#define DIRECTORY_PART 8
#define MIN_DIRECTORY_BYTES 4096

/*
 * Minimum number of pages of a region; more if the directory would be too
 * large.
 */
#define MIN_REGION_SHIFT (SSDPAR_NEIGHBOUR_SHIFT + 4)

#define LOSSY SSDPAR_TIDS_LOSSY

typedef struct Neighbourhood
{
	union
	{
		uint32	   *rows;		/* exact: stride words for each page */
		uint64		pages;		/* lossy: one bit for each page */
	};
	uint32		stride;			/* 0 if empty, or LOSSY */
} Neighbourhood;

/* Represents a region all of whose pages are in the bitmap.  */
static Neighbourhood whole_region = {
	.pages = ~UINT64CONST(0),
	.stride = LOSSY,
};

#define WHOLE_REGION (&whole_region)

/*
 * Invariants: regions[i] is NULL (nothing added), WHOLE_REGION, or an array of
 * neighbours places.  A place's stride is 0 (empty), LOSSY, or the width of
 * its rows, at most SSDPAR_MAX_STRIDE.  nexact counts the places of the last
 * kind, so that next_exact() ends.  A whole region stays whole, and a lossy
 * place never becomes exact again, because its rows have been forgotten.
 */
struct SsdparTidBitmap
{
	MemoryContext context;
	BlockNumber nblocks;
	uint32		region_shift;	/* of a block number */
	uint32		nregions;
	uint32		neighbours;		/* of a region; a power of two */
	uint32		usual_stride;
	Neighbourhood **regions;
	const SsdparTidBitmap *within;
	bool		beyond;			/* exact places have more rows than within */
	uint64		nexact;
	uint32		hand_region;	/* where to look for one to make lossy */
	uint32		hand;
	SsdparTidMemory memory;
};

SsdparTidBitmap *
ssdpar_tid_bitmap_create(BlockNumber nblocks, Size max_bytes,
						 const SsdparTidBitmap *within)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "ssdpar TID bitmap",
												  ALLOCSET_SMALL_SIZES);
	SsdparTidBitmap *bitmap = MemoryContextAllocZero(context,
													 sizeof(SsdparTidBitmap));
	Size		most = Max(max_bytes / DIRECTORY_PART, MIN_DIRECTORY_BYTES) /
		sizeof(Neighbourhood *);
	Size		directory;

	bitmap->context = context;
	bitmap->nblocks = nblocks;
	bitmap->within = within;
	bitmap->usual_stride = 1;
	bitmap->region_shift = MIN_REGION_SHIFT;
	while (((uint64) nblocks >> bitmap->region_shift) >= most)
		bitmap->region_shift++;
	bitmap->nregions = ((uint64) nblocks >> bitmap->region_shift) + 1;
	bitmap->neighbours = 1 << (bitmap->region_shift - SSDPAR_NEIGHBOUR_SHIFT);
	directory = bitmap->nregions * sizeof(Neighbourhood *);
	bitmap->regions = MemoryContextAllocZero(context, directory);
	ssdpar_tid_memory_init(&bitmap->memory, context, max_bytes, directory);
	return bitmap;
}

void
ssdpar_tid_bitmap_free(SsdparTidBitmap *bitmap)
{
	MemoryContextDelete(bitmap->context);
}

/*
 * Returns the place of a block below nblocks; NULL if there is none.  In a
 * whole region it is a lossy place with all pages.
 */
static inline const Neighbourhood *
place_of(const SsdparTidBitmap *bitmap, BlockNumber block)
{
	const Neighbourhood *region =
		bitmap->regions[block >> bitmap->region_shift];

	if (region == NULL || region == WHOLE_REGION)
		return region;
	return region + ((block >> SSDPAR_NEIGHBOUR_SHIFT) &
					 (bitmap->neighbours - 1));
}

/* Returns one bit for each page of a neighborhood that has rows.  */
static uint64
pages_with_rows(const uint32 *rows, uint32 stride)
{
	uint64		pages = 0;

	for (int page = 0; page < SSDPAR_NEIGHBOURS; page++)
	{
		for (uint32 word = 0; word < stride; word++)
			pages |= (uint64) (rows[page * stride + word] != 0) << page;
	}
	return pages;
}

/*
 * Makes a place lossy permanently, forgetting its rows.  Every row that was in
 * the bitmap still is, as one of all rows of its page.
 */
static void
make_lossy(SsdparTidBitmap *bitmap, Neighbourhood *place)
{
	uint64		pages = pages_with_rows(place->rows, place->stride);

	Assert(place->stride != LOSSY);
	if (place->stride > 0)
	{
		ssdpar_tid_memory_give(&bitmap->memory, place->rows, place->stride);
		bitmap->nexact--;
	}
	place->stride = LOSSY;
	place->pages = pages;
}

/*
 * Finds the next exact neighborhood, cycling through the regions.  The
 * position is kept between calls, so that making all of them lossy takes one
 * cycle in total, not one for each call.
 */
static Neighbourhood *
next_exact(SsdparTidBitmap *bitmap)
{
	Assert(bitmap->nexact > 0);
	for (;;)
	{
		Neighbourhood *region = bitmap->regions[bitmap->hand_region];

		if (region == NULL || region == WHOLE_REGION ||
			bitmap->hand >= bitmap->neighbours)
		{
			bitmap->hand = 0;
			if (++bitmap->hand_region == bitmap->nregions)
				bitmap->hand_region = 0;
			continue;
		}
		region += bitmap->hand++;
		if (region->stride > 0 && region->stride != LOSSY)
			return region;
	}
}

/* Creates a region for its first row, making others lossy if necessary.  */
static Neighbourhood *
make_region(SsdparTidBitmap *bitmap, uint32 number)
{
	uint32		units = bitmap->neighbours * sizeof(Neighbourhood) /
		SSDPAR_TID_UNIT;
	Neighbourhood *region = ssdpar_tid_memory_take(&bitmap->memory, units);

	while (region == NULL && units == 1 && bitmap->nexact > 0)
	{
		make_lossy(bitmap, next_exact(bitmap));
		region = ssdpar_tid_memory_take(&bitmap->memory, units);
	}
	if (region == NULL)
		region = WHOLE_REGION;
	bitmap->regions[number] = region;
	return region;
}

/*
 * Widens a place for a row in this word of its page, or makes it lossy.
 *
 * The new width is that of other places of the table or, if it is sufficient
 * for all rows that can be added, of the same place in within.  So the same
 * memory is sufficient too. (This does not include rows added by other
 * processes, whose copy of within can be less exact.)
 */
static void
widen(SsdparTidBitmap *bitmap, Neighbourhood *place, BlockNumber block,
	  uint32 word)
{
	const Neighbourhood *outer = NULL;
	uint32		stride;
	uint32	   *rows = NULL;

	if (word < SSDPAR_MAX_STRIDE)
	{
		bitmap->usual_stride = Max(bitmap->usual_stride, word + 1);
		stride = bitmap->usual_stride;
		if (bitmap->within != NULL)
			outer = place_of(bitmap->within, block);
		if (outer != NULL && outer->stride != LOSSY)
			stride = Max(outer->stride, word + 1);
		rows = ssdpar_tid_memory_take(&bitmap->memory, stride);
	}
	if (rows == NULL)
	{
		make_lossy(bitmap, place);
		return;
	}
	if (outer != NULL && outer->stride == LOSSY)
		bitmap->beyond = true;
	if (place->stride == 0)
		bitmap->nexact++;
	else
	{
		for (int page = 0; page < SSDPAR_NEIGHBOURS; page++)
			memcpy(rows + page * stride, place->rows + page * place->stride,
				   place->stride * sizeof(uint32));
		ssdpar_tid_memory_give(&bitmap->memory, place->rows, place->stride);
	}
	place->rows = rows;
	place->stride = stride;
}

/* Is the row, or its whole page, in the bitmap?  */
static inline bool
contains(const SsdparTidBitmap *bitmap, BlockNumber block, uint32 row)
{
	const Neighbourhood *place;
	uint32		page = block % SSDPAR_NEIGHBOURS;

	if (block >= bitmap->nblocks)
		return false;
	place = place_of(bitmap, block);
	if (place == NULL)
		return false;
	if (place->stride == LOSSY)
		return (place->pages >> page & 1) != 0;
	return row / 32 < place->stride &&
		(place->rows[page * place->stride + row / 32] >> (row % 32) & 1) != 0;
}

/*
 * Returns the place of a block, creating it if necessary; NULL in a whole
 * region.
 */
static inline Neighbourhood *
find_place(SsdparTidBitmap *bitmap, BlockNumber block)
{
	Neighbourhood *region = bitmap->regions[block >> bitmap->region_shift];

	if (unlikely(region == NULL))
		region = make_region(bitmap, block >> bitmap->region_shift);
	if (unlikely(region == WHOLE_REGION))
		return NULL;
	return region + ((block >> SSDPAR_NEIGHBOUR_SHIFT) &
					 (bitmap->neighbours - 1));
}

/*
 * After widen() the place is wide enough for the row, or lossy, which is
 * greater than any width.  So no row is lost for lack of memory.
 */
static inline void
add_row(SsdparTidBitmap *bitmap, BlockNumber block, uint32 row)
{
	Neighbourhood *place = find_place(bitmap, block);
	uint32		page = block % SSDPAR_NEIGHBOURS;

	if (unlikely(place == NULL))
		return;
	if (unlikely(row / 32 >= place->stride))
		widen(bitmap, place, block, row / 32);
	Assert(row / 32 < place->stride);
	if (place->stride == LOSSY)
		place->pages |= UINT64CONST(1) << page;
	else
		place->rows[page * place->stride + row / 32] |=
			UINT32_C(1) << (row % 32);
}

/*
 * Pages beyond the table's size were added after the size was taken, hence
 * after the query's snapshot, so nothing there is visible.  Offset 0, which is
 * invalid, wraps around to a large one that makes its neighborhood lossy.
 */
void
ssdpar_tid_bitmap_add(SsdparTidBitmap *bitmap, const ItemPointerData *tids,
					  int ntids)
{
	const SsdparTidBitmap *within = bitmap->within;

	for (int i = 0; i < ntids; i++)
	{
		BlockNumber block = ItemPointerGetBlockNumberNoCheck(&tids[i]);
		uint32		row = (OffsetNumber)
			(ItemPointerGetOffsetNumberNoCheck(&tids[i]) - 1);

		if (block < bitmap->nblocks &&
			(within == NULL || contains(within, block, row)))
			add_row(bitmap, block, row);
	}
}

/* Adds an exact place that is not wider.  */
static void
add_exact(Neighbourhood *place, const SsdparTidPlace *other)
{
	uint32		n = SSDPAR_NEIGHBOURS * other->stride;

	Assert(place->stride <= SSDPAR_MAX_STRIDE &&
		   other->stride <= place->stride);
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

/*
 * Adds a whole region.  Exact places become lossy, and their memory is reused.
 */
static void
add_whole_region(SsdparTidBitmap *bitmap, uint32 number)
{
	Neighbourhood *region = bitmap->regions[number];

	if (region != NULL && region != WHOLE_REGION)
	{
		for (uint32 i = 0; i < bitmap->neighbours; i++)
		{
			if (region[i].stride != LOSSY)
				make_lossy(bitmap, &region[i]);
		}
	}
	bitmap->regions[number] = WHOLE_REGION;
}

void
ssdpar_tid_bitmap_add_place(SsdparTidBitmap *bitmap,
							const SsdparTidPlace *other)
{
	Neighbourhood *place;

	if (other->stride == SSDPAR_TIDS_WHOLE)
	{
		add_whole_region(bitmap, other->first >> bitmap->region_shift);
		return;
	}
	place = find_place(bitmap, other->first);
	if (place == NULL)
		return;
	if (other->stride == LOSSY && place->stride != LOSSY)
		make_lossy(bitmap, place);
	else if (other->stride > place->stride)
		widen(bitmap, place, other->first, other->stride - 1);
	if (place->stride != LOSSY)
		add_exact(place, other);
	else if (other->stride == LOSSY)
		place->pages |= other->pages;
	else
		place->pages |= pages_with_rows(other->rows, other->stride);
}

bool
ssdpar_tid_bitmap_is_beyond(const SsdparTidBitmap *bitmap)
{
	return bitmap->beyond;
}

void
ssdpar_tid_bitmap_set_beyond(SsdparTidBitmap *bitmap)
{
	bitmap->beyond = true;
}

bool
ssdpar_tid_bitmap_next(const SsdparTidBitmap *bitmap, uint64 *block,
					   SsdparTidPlace *place)
{
	while (*block < bitmap->nblocks)
	{
		const Neighbourhood *region =
			bitmap->regions[*block >> bitmap->region_shift];
		const Neighbourhood *next = region == NULL ? NULL :
			place_of(bitmap, *block);
		uint64		npages = region == NULL || region == WHOLE_REGION ?
			UINT64CONST(1) << bitmap->region_shift : SSDPAR_NEIGHBOURS;

		place->first = *block;
		*block += npages;
		if (next == NULL || next->stride == 0)
			continue;
		place->npages = Min(npages, bitmap->nblocks - place->first);
		place->stride = region == WHOLE_REGION ? SSDPAR_TIDS_WHOLE :
			next->stride;
		place->rows = next->stride == LOSSY ? NULL : next->rows;
		place->pages = next->stride == LOSSY ? next->pages : 0;
		return true;
	}
	return false;
}
