/*
 * join_pairs.c
 *		Rows of a sample with rows of a table that have their keys in its index.
 *
 * All pages are known before the first of them is read, so they are read at the
 * device's depth, in their order.
 */
#include "postgres.h"

#include "base/compat.h"
#include "sample/filters.h"
#include "sample/heap_pages.h"
#include "sample/join_pairs.h"

/* The first n of the key's addresses are made a random choice. */
static void
shuffle(SsdparSampler *sampler, SsdparIndexSampleKey *key, int n)
{
	for (int i = 0; i < n; i++)
	{
		int			other = pg_prng_uint64_range(&sampler->random, i,
												 key->ntids - 1);
		ItemPointerData tid = key->tids[i];

		key->tids[i] = key->tids[other];
		key->tids[other] = tid;
	}
}

void
ssdpar_choose_pairs(SsdparSampler *sampler, SsdparIndexSample *sample, int row,
					int n, SsdparPair *pairs)
{
	SsdparIndexSampleKey *key = sample->keys[row];

	shuffle(sampler, key, n);
	for (int i = 0; i < n; i++)
		pairs[i] = (SsdparPair) {.row = row, .tid = key->tids[i]};
}

static int
compare_pairs(const void *a, const void *b)
{
	return ItemPointerCompare(&(*(SsdparPair *const *) a)->tid,
							  &(*(SsdparPair *const *) b)->tid);
}

static SsdparPair **
sort_pairs(SsdparPair *pairs, int npairs, BlockNumber **blocks, int *nblocks)
{
	int			room = Max(npairs, 1);
	SsdparPair **sorted = palloc_array(SsdparPair *, room);

	*blocks = palloc_array(BlockNumber, room);
	*nblocks = 0;
	for (int i = 0; i < npairs; i++)
		sorted[i] = &pairs[i];
	qsort(sorted, npairs, sizeof(SsdparPair *), compare_pairs);
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
		   SsdparSamplePages *pages, SsdparPair *pair,
		   const SsdparPair *before)
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
ssdpar_fetch_pairs(SsdparSampler *sampler, SsdparSampleTable *table,
				   SsdparPair *pairs, int npairs)
{
	BlockNumber *blocks;
	int			nblocks;
	SsdparPair **sorted = sort_pairs(pairs, npairs, &blocks, &nblocks);
	SsdparSamplePages *pages =
		ssdpar_sample_pages_open(sampler, table, blocks, nblocks, true);
	int			done = 0;
	bool		over = false;

	for (int b = 0; b < nblocks && !over; b++)
	{
		(void) ssdpar_sample_pages_next(pages);
		for (; !over && done < npairs &&
			 ItemPointerGetBlockNumber(&sorted[done]->tid) == blocks[b];
			 done++)
		{
			fetch_pair(sampler, table, pages, sorted[done],
					   done > 0 ? sorted[done - 1] : NULL);
			over = ssdpar_sample_pages_row_is_late(pages);
		}
		ssdpar_sample_worked(&sampler->budget,
							 table->page_seconds + table->row_seconds);
		over = ssdpar_sample_is_late(&sampler->budget);
	}
	ssdpar_sample_pages_close(pages);
	pfree(sorted);
	pfree(blocks);
	return done == npairs;
}

bool
ssdpar_is_pair_joined(SsdparJoinedBuilder *builder,
					  const SsdparSampleJoin *join,
					  SsdparSampleRow *const *members, const SsdparPair *pair)
{
	return pair->fetched != NULL &&
		ssdpar_sample_keys_equal(join, members, pair->fetched) &&
		ssdpar_joined_condition(builder, members, pair->fetched);
}
