/*
 * tid_pages.c
 *		A finished TID set as a flat list of pages in block order.
 *
 * Behind the head lie the block numbers, then for each page where its rows
 * begin among the words at the end, one position more than pages.  A page has
 * as many words as its highest row needs; a lossy page has none.
 */
#include "postgres.h"

#include "port/pg_bitutils.h"

#include "compat.h"
#include "starscan/tid_set.h"
#include "starscan/tid_set_layout.h"

struct SsdparTidPages
{
	uint32		count;
	uint32		lossy;
	BlockNumber blocks[FLEXIBLE_ARRAY_MEMBER];
};

/*
 * Pages as they are met.  With blocks NULL they are only counted.  Positions
 * have 32 bits: pages that would go beyond are lossy.
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

/* Words up to the last one that is not zero. */
static inline uint32
used_words(const uint32 *words, uint32 nwords)
{
	while (nwords > 0 && words[nwords - 1] == 0)
		nwords--;
	return nwords;
}

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

static void
put_neighbourhood(PageSink *sink, BlockNumber first,
				  const SsdparNeighbourhood *place)
{
	if (place->stride == SSDPAR_LOSSY)
	{
		for (uint64 bits = place->pages; bits != 0; bits &= bits - 1)
			put_page(sink, first + pg_rightmost_one_pos64(bits), NULL, 0);
		return;
	}
	for (int page = 0; page < SSDPAR_NEIGHBOURS && place->stride > 0; page++)
	{
		const uint32 *words = place->rows + page * place->stride;
		uint32		nwords = used_words(words, place->stride);

		if (nwords > 0)
			put_page(sink, first + page, words, nwords);
	}
}

static void
put_region(PageSink *sink, const SsdparTidSet *set, uint32 number)
{
	const SsdparNeighbourhood *region = set->regions[number];
	uint64		first = (uint64) number << set->region_shift;
	uint64		end = Min(first + (UINT64CONST(1) << set->region_shift),
						  set->nblocks);

	if (region == SSDPAR_WHOLE_REGION)
	{
		for (uint64 block = first; block < end; block++)
			put_page(sink, block, NULL, 0);
		return;
	}
	for (uint32 i = 0; i < set->neighbours; i++)
		put_neighbourhood(sink, first + i * SSDPAR_NEIGHBOURS, region + i);
}

static void
put_set(PageSink *sink, const SsdparTidSet *set)
{
	for (uint32 i = 0; i < set->nregions; i++)
	{
		if (set->regions[i] != NULL)
			put_region(sink, set, i);
	}
}

static Size
head_size(uint32 count)
{
	return offsetof(SsdparTidPages, blocks) +
		(Size) count * (sizeof(BlockNumber) + sizeof(uint32)) + sizeof(uint32);
}

Size
ssdpar_tid_pages_size(const SsdparTidSet *set)
{
	PageSink	sink = {0};

	put_set(&sink, set);
	return head_size(sink.count) + (Size) sink.nwords * sizeof(uint32);
}

SsdparTidPages *
ssdpar_tid_pages_build(const SsdparTidSet *set, void *memory)
{
	SsdparTidPages *pages = memory;
	PageSink	counted = {0};
	PageSink	sink = {0};

	put_set(&counted, set);
	pages->count = counted.count;
	pages->lossy = counted.lossy;
	sink.blocks = pages->blocks;
	sink.starts = sink.blocks + counted.count;
	sink.words = sink.starts + counted.count + 1;
	put_set(&sink, set);
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
			/* Whatever such a TID means, offsets has no room for it. */
			if (unlikely(count == MaxHeapTuplesPerPage))
				return -1;
			offsets[count++] = word * 32 + pg_rightmost_one_pos32(bits) + 1;
		}
	}
	return count;
}
