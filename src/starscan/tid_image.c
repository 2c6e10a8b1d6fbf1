/*
 * tid_image.c
 *		A TID set's copy without pointers, and its way back into a set.
 *
 * It keeps the set's own form, neighbourhood by neighbourhood, so that making
 * and adding it costs a few instructions a page.  What can be read page by
 * page is in tid_pages.c.
 */
#include "postgres.h"

#include "compat.h"
#include "starscan/tid_set.h"
#include "starscan/tid_set_layout.h"

/* In place of a stride: the whole region that begins there. */
#define WHOLE (SSDPAR_LOSSY + 1)

/* A neighbourhood, followed by its rows if it is exact. */
typedef struct Piece
{
	uint64		pages;			/* if lossy */
	BlockNumber first;
	uint32		stride;
} Piece;

struct SsdparTidImage
{
	Size		size;			/* of all that follows */
	uint64		pieces[FLEXIBLE_ARRAY_MEMBER];
};

static Size
rows_size(uint32 stride)
{
	return stride >= SSDPAR_LOSSY ? 0 : stride * SSDPAR_UNIT;
}

static void
put_piece(SsdparTidImage *image, Size offset, BlockNumber first,
		  uint32 stride, const SsdparNeighbourhood *place)
{
	Piece	   *piece = (Piece *) ((char *) image->pieces + offset);

	piece->first = first;
	piece->stride = stride;
	piece->pages = stride == SSDPAR_LOSSY ? place->pages : 0;
	if (rows_size(stride) > 0)
		memcpy(piece + 1, place->rows, rows_size(stride));
}

/* Returns the size of the pieces, which are put into image if there is one. */
static Size
put_set(const SsdparTidSet *set, SsdparTidImage *image)
{
	Size		size = 0;

	for (uint32 number = 0; number < set->nregions; number++)
	{
		const SsdparNeighbourhood *region = set->regions[number];
		uint32		places = region == NULL ? 0 :
			region == SSDPAR_WHOLE_REGION ? 1 : set->neighbours;

		for (uint32 i = 0; i < places; i++)
		{
			uint32		stride = region == SSDPAR_WHOLE_REGION ? WHOLE :
				region[i].stride;

			if (stride == 0)
				continue;
			if (image != NULL)
				put_piece(image, size, (number << set->region_shift) +
						  i * SSDPAR_NEIGHBOURS, stride, &region[i]);
			size += sizeof(Piece) + rows_size(stride);
		}
	}
	return size;
}

Size
ssdpar_tid_image_size(const SsdparTidSet *set)
{
	return offsetof(SsdparTidImage, pieces) + put_set(set, NULL);
}

void
ssdpar_tid_image_build(const SsdparTidSet *set, SsdparTidImage *image)
{
	image->size = put_set(set, image);
}

void
ssdpar_tid_set_add_image(SsdparTidSet *set, const SsdparTidImage *image)
{
	const char *next = (const char *) image->pieces;
	const char *end = next + image->size;

	while (next < end)
	{
		const Piece *piece = (const Piece *) next;
		SsdparNeighbourhood place = {.stride = piece->stride};

		if (piece->stride == WHOLE)
			ssdpar_tid_set_add_region(set, piece->first >> set->region_shift);
		else
		{
			if (piece->stride == SSDPAR_LOSSY)
				place.pages = piece->pages;
			else
				place.rows = (uint32 *) (piece + 1);
			ssdpar_tid_set_add_place(set, piece->first, &place);
		}
		next += sizeof(Piece) + rows_size(piece->stride);
	}
}
