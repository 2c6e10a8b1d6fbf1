/*
 * tid_flat.c
 *		A TID bitmap's flat form, and its way back into a bitmap.
 *
 * It keeps the bitmap's own form, place by place, so that making and adding it
 * costs a few instructions a page: 30 million rows on 400,000 pages are 6,000
 * places.  What can be read page by page is in tid_pages.c.
 */
#include "postgres.h"

#include "base/compat.h"
#include "tids/tid_flat.h"

/* A place without its pointer, followed by its rows if it is exact. */
typedef struct FlatPlace
{
	uint64		pages;			/* if lossy */
	BlockNumber first;
	uint32		stride;
} FlatPlace;

/*
 * Invariant: size is the sum of what the places take, each of them a multiple
 * of 8 bytes, so that all are aligned: going on by what each takes ends
 * exactly at size.
 */
struct SsdparFlatTids
{
	Size		size;			/* of all places */
	bool		beyond;
	uint64		places[FLEXIBLE_ARRAY_MEMBER];
};

StaticAssertDecl(sizeof(FlatPlace) % sizeof(uint64) == 0 &&
				 SSDPAR_TID_UNIT % sizeof(uint64) == 0,
				 "flat places must stay aligned");

static Size
rows_size(uint32 stride)
{
	return stride >= SSDPAR_TIDS_LOSSY ? 0 : stride * SSDPAR_TID_UNIT;
}

Size
ssdpar_flat_tids_size(const SsdparTidBitmap *bitmap)
{
	Size		size = offsetof(SsdparFlatTids, places);
	SsdparTidPlace place;
	uint64		block = 0;

	while (ssdpar_tid_bitmap_next(bitmap, &block, &place))
		size += sizeof(FlatPlace) + rows_size(place.stride);
	return size;
}

void
ssdpar_flat_tids_build(const SsdparTidBitmap *bitmap, SsdparFlatTids *flat)
{
	char	   *next = (char *) flat->places;
	SsdparTidPlace place;
	uint64		block = 0;

	flat->beyond = ssdpar_tid_bitmap_is_beyond(bitmap);
	while (ssdpar_tid_bitmap_next(bitmap, &block, &place))
	{
		FlatPlace  *copy = (FlatPlace *) next;

		copy->first = place.first;
		copy->stride = place.stride;
		copy->pages = place.pages;
		if (rows_size(place.stride) > 0)
			memcpy(copy + 1, place.rows, rows_size(place.stride));
		next += sizeof(FlatPlace) + rows_size(place.stride);
	}
	flat->size = next - (char *) flat->places;
}

/*
 * What was exact there may become lossy here, where memory is used up; no row
 * is lost by that.  Rows stay where they are: the place only points to them
 * while it is added.
 */
void
ssdpar_flat_tids_add(const SsdparFlatTids *flat, SsdparTidBitmap *bitmap)
{
	const char *next = (const char *) flat->places;
	const char *end = next + flat->size;

	if (flat->beyond)
		ssdpar_tid_bitmap_set_beyond(bitmap);
	while (next < end)
	{
		const FlatPlace *copy = (const FlatPlace *) next;
		SsdparTidPlace place = {
			.first = copy->first,
			.stride = copy->stride,
			.pages = copy->pages,
			.rows = (const uint32 *) (copy + 1),
		};

		ssdpar_tid_bitmap_add_place(bitmap, &place);
		next += sizeof(FlatPlace) + rows_size(copy->stride);
	}
	Assert(next == end);
}
