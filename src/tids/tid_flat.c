/*
 * tid_flat.c
 *		Flat form of a TID bitmap, and its conversion back to a bitmap.
 *
 * It keeps the bitmap's structure, place by place, so building and adding it
 * take only a few instructions for each page.  tid_pages.c makes a form that
 * can be read page by page.
 */
#include "postgres.h"

#include "base/compat.h"
#include "tids/tid_flat.h"

/* A place without its pointer, followed by its rows if it is exact.  */
typedef struct FlatPlace
{
	uint64		pages;			/* if lossy */
	BlockNumber first;
	uint32		stride;
} FlatPlace;

/*
 * Invariant: size is the total size of the places.  Each is a multiple of 8
 * bytes, so that all are aligned, and advancing by the size of each place ends
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
 * Exact places of the flat form can become lossy in the bitmap if memory is
 * exhausted, but no row is lost.  place only points to the rows, which are not
 * copied.
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
