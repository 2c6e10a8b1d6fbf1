/*
 * tid_pages.c
 *		A finished TID bitmap as a flat list of pages in block order.
 *
 * The head is followed by the block numbers, then by the position of each
 * page's rows among the words at the end, plus one final position.  A page has
 * as many words as its highest row needs; a lossy page has none.
 */
#include "postgres.h"

#include "port/pg_bitutils.h"

#include "base/compat.h"
#include "tids/tid_pages.h"

struct SsdparTidPages
{
	uint32		count;
	uint32		lossy;
	BlockNumber blocks[FLEXIBLE_ARRAY_MEMBER];
};

/*
 * Destination of the pages.  If blocks is NULL, they are only counted.  The
 * counting and the writing pass run the same code, so they cannot disagree
 * about the size of a page.  Positions have 32 bits; pages beyond that become
 * lossy.
 */
typedef struct PageSink
{
	uint32		count;
	uint32		lossy;
	uint32		nwords;
	BlockNumber *blocks;
	uint32	   *starts;
	uint32	   *words;
} PageSink;

/*
 * Adds a page with its words, the last of which is not zero, or without words
 * if it is lossy.  So a page without words is known to be lossy.
 */
static void
put_page(PageSink *sink, BlockNumber block, const uint32 *words,
		 uint32 nwords)
{
	if (nwords > PG_UINT32_MAX - sink->nwords)
		nwords = 0;
	if (sink->blocks != NULL)
	{
		sink->blocks[sink->count] = block;
		sink->starts[sink->count] = sink->nwords;
		if (nwords > 0)
			memcpy(sink->words + sink->nwords, words, nwords * sizeof(uint32));
	}
	sink->count++;
	sink->lossy += nwords == 0;
	sink->nwords += nwords;
}

/* Adds all pages of the bitmap in ascending order.  */
static void
put_bitmap(PageSink *sink, const SsdparTidBitmap *bitmap)
{
	SsdparTidPlace place;
	uint64		block = 0;

	while (ssdpar_tid_bitmap_next(bitmap, &block, &place))
	{
		if (place.stride == SSDPAR_TIDS_WHOLE)
		{
			for (uint32 page = 0; page < place.npages; page++)
				put_page(sink, place.first + page, NULL, 0);
		}
		else if (place.stride == SSDPAR_TIDS_LOSSY)
		{
			for (uint64 bits = place.pages; bits != 0; bits &= bits - 1)
				put_page(sink, place.first + pg_rightmost_one_pos64(bits),
						 NULL, 0);
		}
		else
		{
			for (int page = 0; page < SSDPAR_NEIGHBOURS; page++)
			{
				const uint32 *words = place.rows + page * place.stride;
				uint32		nwords = place.stride;

				while (nwords > 0 && words[nwords - 1] == 0)
					nwords--;
				if (nwords > 0)
					put_page(sink, place.first + page, words, nwords);
			}
		}
	}
}

Size
ssdpar_tid_pages_size(const SsdparTidBitmap *bitmap, uint32 *count)
{
	PageSink	sink = {0};

	put_bitmap(&sink, bitmap);
	*count = sink.count;
	return offsetof(SsdparTidPages, blocks) +
		(Size) sink.count * (sizeof(BlockNumber) + sizeof(uint32)) +
		sizeof(uint32) + (Size) sink.nwords * sizeof(uint32);
}

/*
 * memory must have the size that ssdpar_tid_pages_size() returned for the same
 * bitmap.  The positions of the parts depend on the number of pages, so a
 * counting pass comes first.
 */
SsdparTidPages *
ssdpar_tid_pages_build(const SsdparTidBitmap *bitmap, void *memory)
{
	SsdparTidPages *pages = memory;
	PageSink	counted = {0};
	PageSink	sink = {0};

	put_bitmap(&counted, bitmap);
	pages->count = counted.count;
	pages->lossy = counted.lossy;
	sink.blocks = pages->blocks;
	sink.starts = sink.blocks + counted.count;
	sink.words = sink.starts + counted.count + 1;
	put_bitmap(&sink, bitmap);
	Assert(sink.count == counted.count && sink.nwords == counted.nwords);
	sink.starts[sink.count] = sink.nwords;
	return pages;
}

uint32
ssdpar_tid_pages_count(const SsdparTidPages *pages)
{
	return pages->count;
}

uint32
ssdpar_tid_pages_lossy(const SsdparTidPages *pages)
{
	return pages->lossy;
}

const BlockNumber *
ssdpar_tid_pages_blocks(const SsdparTidPages *pages)
{
	return pages->blocks;
}

/*
 * Only a damaged index has TIDs beyond what a heap page can hold.  Such a page
 * is treated as lossy, because that row does not exist, but the other rows
 * must not be lost.
 */
int
ssdpar_tid_pages_rows(const SsdparTidPages *pages, uint32 i,
					  OffsetNumber *offsets)
{
	const uint32 *starts = pages->blocks + pages->count;
	const uint32 *words = starts + pages->count + 1 + starts[i];
	uint32		nwords = starts[i + 1] - starts[i];
	int			count = 0;

	if (nwords == 0)
		return -1;
	for (uint32 word = 0; word < nwords; word++)
	{
		for (uint32 bits = words[word]; bits != 0; bits &= bits - 1)
		{
			if (unlikely(count == MaxHeapTuplesPerPage))
				return -1;
			offsets[count++] = word * 32 + pg_rightmost_one_pos32(bits) + 1;
		}
	}
	return count;
}
