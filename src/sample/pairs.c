/*
 * pairs.c
 *		Fetches the rows of a table that an index has named as partners.
 *
 * In the order of their pages, all of which are asked for before the first of
 * them is read.
 */
#include "postgres.h"

#include "base/compat.h"
#include "sample/filters.h"
#include "sample/heap_pages.h"
#include "sample/pairs.h"

static int
compare_pairs(const void *a, const void *b)
{
	return ItemPointerCompare(&(*(SsdparSamplePair *const *) a)->tid,
							  &(*(SsdparSamplePair *const *) b)->tid);
}

static SsdparSamplePair **
sort_pairs(SsdparSamplePair *pairs, int npairs, BlockNumber **blocks,
		   int *nblocks)
{
	int			room = Max(npairs, 1);
	SsdparSamplePair **sorted = palloc_array(SsdparSamplePair *, room);

	*blocks = palloc_array(BlockNumber, room);
	*nblocks = 0;
	for (int i = 0; i < npairs; i++)
		sorted[i] = &pairs[i];
	qsort(sorted, npairs, sizeof(SsdparSamplePair *), compare_pairs);
	for (int i = 0; i < npairs; i++)
	{
		BlockNumber block = ItemPointerGetBlockNumber(&sorted[i]->tid);

		if (*nblocks == 0 || (*blocks)[*nblocks - 1] != block)
			(*blocks)[(*nblocks)++] = block;
	}
	return sorted;
}

/* Two pairs with one row share what was fetched. */
static void
fetch_pair(SsdparSampler *sampler, SsdparSampleTable *table,
		   SsdparSamplePages *pages, SsdparSamplePair *pair,
		   const SsdparSamplePair *before)
{
	OffsetNumber offset = ItemPointerGetOffsetNumber(&pair->tid);

	if (before != NULL &&
		ItemPointerEquals((ItemPointer) &before->tid, &pair->tid))
	{
		pair->fetched = before->fetched;
		return;
	}
	if (!ssdpar_sample_pages_find(pages, &offset))
		return;
	ssdpar_sample_pages_store(pages, offset);
	if (ssdpar_sample_passes(sampler, table))
		pair->fetched = ssdpar_sample_keep_row(sampler, table);
}

bool
ssdpar_sample_fetch_pairs(SsdparSampler *sampler, SsdparSampleTable *table,
						  SsdparSamplePair *pairs, int npairs)
{
	BlockNumber *blocks;
	int			nblocks;
	SsdparSamplePair **sorted = sort_pairs(pairs, npairs, &blocks, &nblocks);
	SsdparSamplePages *pages =
		ssdpar_sample_pages_open(sampler, table, blocks, nblocks, true);
	int			done = 0;
	bool		over = false;

	for (int b = 0; b < nblocks && !over; b++)
	{
		(void) ssdpar_sample_pages_next(pages);
		for (; done < npairs &&
			 ItemPointerGetBlockNumber(&sorted[done]->tid) == blocks[b];
			 done++)
			fetch_pair(sampler, table, pages, sorted[done],
					   done > 0 ? sorted[done - 1] : NULL);
		ssdpar_sample_worked(&sampler->budget,
							 table->page_seconds + table->row_seconds);
		over = ssdpar_sample_is_late(&sampler->budget);
	}
	ssdpar_sample_pages_close(pages);
	pfree(sorted);
	pfree(blocks);
	return done == npairs;
}
