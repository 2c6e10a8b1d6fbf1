/*
 * bitmap.c
 *		A star scan's bitmap access, first half: asks the fact's indexes for
 *		the rows of the keys collected, and ANDs what they say.
 *
 * Which of them, and whether it is worth a bitmap at all, is chosen by the keys
 * there really are (index_choice.c).  Each next index only adds to the bitmap
 * what the ones before have found.  The result is a list of pages and rows for
 * bitmap_scan.c.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/xact.h"
#include "miscadmin.h"
#include "optimizer/paths.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "storage/predicate.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "base/settings.h"
#include "btree/btree_meta.h"
#include "starscan/exec/bitmap.h"
#include "starscan/exec/index_choice.h"
#include "starscan/exec/repeat.h"

typedef struct Bitmap
{
	const SsdparStarPlan *plan;
	Relation	fact;
	const SsdparLookupKeys *keys;
	const SsdparParticipant *participant;
	SsdparStarData *data;
	SsdparStarResult *result;
	bool		repeated;		/* the bitmap of constant reducers is kept */
	Size		bytes;			/* that each bitmap may take */
	SsdparIndexChoice choice;
	int		   *reducers;		/* of each option of it */
	Relation   *indexes;
	BlockNumber nblocks;		/* of the fact */
	SsdparTidBitmap *tids;		/* NULL before the first index */
} Bitmap;

/*
 * The index of reducer number i, if it can be read, else NULL.  Serializable
 * transactions have to see later insertions of the keys: locking the index as a
 * whole is coarse, and simple.  One that was not planned is not worth the
 * conflicts that come of it.  Keys may be wanted for other partitions' sake.
 */
static Relation
open_index(const Bitmap *bitmap, int i, Snapshot snapshot)
{
	const SsdparReducer *reducer = &bitmap->plan->reducers[i];
	Relation	index;

	if (!bitmap->keys[i].wanted || !OidIsValid(reducer->index) ||
		(!reducer->index_planned && IsolationIsSerializable()))
		return NULL;
	index = index_open(reducer->index, AccessShareLock);
	if (ssdpar_index_readable(index))
	{
		PredicateLockRelation(index, snapshot);
		return index;
	}
	index_close(index, NoLock);
	return NULL;
}

static void
find_options(Bitmap *bitmap, Snapshot snapshot)
{
	const SsdparStarPlan *plan = bitmap->plan;
	const SsdparStarData *data = bitmap->data;
	int			n = plan->nreducers;
	SsdparIndexChoice *choice = &bitmap->choice;

	choice->options = palloc0(n * sizeof(SsdparIndexOption));
	bitmap->reducers = palloc_array(int, n);
	bitmap->indexes = palloc_array(Relation, n);
	for (int i = 0; i < n; i++)
	{
		SsdparIndexOption *option = &choice->options[choice->noptions];
		Relation	index = open_index(bitmap, i, snapshot);

		if (index == NULL)
			continue;
		ssdpar_index_option_init(option, &plan->reducers[i],
								 data->result->reducers[i].keys,
								 RelationGetNumberOfBlocks(index),
								 RelationGetNumberOfBlocks(bitmap->fact));
		option->first = bitmap->repeated &&
			ssdpar_star_keeps_index(plan, data, i);
		bitmap->reducers[choice->noptions] = i;
		bitmap->indexes[choice->noptions] = index;
		choice->noptions++;
	}
}

static void
close_indexes(Bitmap *bitmap)
{
	for (int i = 0; i < bitmap->choice.noptions; i++)
		index_close(bitmap->indexes[i], NoLock);
}

/*
 * Other processes share the reading if there are any and it is worth it.  The
 * server's own measure for that is how much of an index is to be read: leaf
 * pages that the keys lie on.
 */
static void
read_index(Bitmap *bitmap, int option, SsdparTidBitmap *tids,
		   SsdparIndexCounts *counts)
{
	const SsdparLookupKeys *keys = &bitmap->keys[bitmap->reducers[option]];
	Relation	index = bitmap->indexes[option];
	SsdparIndexTask task = {
		.index = index,
		.keys = keys->integers,
		.nkeys = keys->nkeys,
		.nblocks = bitmap->nblocks,
		.bitmap_bytes = bitmap->bytes,
		.within = bitmap->tids,
	};

	pgstat_count_index_scan(index);
	if (keys->integers == NULL)
		ssdpar_index_rows_by_datum(index, keys->datums, keys->nkeys,
								   ssdpar_page_method(index),
								   ssdpar_io_concurrency, tids, counts);
	else if (bitmap->participant != NULL &&
			 bitmap->choice.options[option].leaves >=
			 min_parallel_index_scan_size)
		bitmap->result->index_readers =
			ssdpar_participant_read(bitmap->participant, &task, tids, counts);
	else
		ssdpar_index_task_read(&task, 0, 1, tids, counts);
}

/* An empty bitmap for what an index finds; one to be kept lives longer. */
static SsdparTidBitmap *
create_tids(const Bitmap *bitmap, bool kept)
{
	MemoryContext before = MemoryContextSwitchTo(kept ? bitmap->data->context :
												 CurrentMemoryContext);
	SsdparTidBitmap *tids = ssdpar_tid_bitmap_create(bitmap->nblocks,
													 bitmap->bytes,
													 bitmap->tids);

	MemoryContextSwitchTo(before);
	return tids;
}

/* The bitmap so far is no longer needed, unless it is kept. */
static void
free_tids(Bitmap *bitmap)
{
	if (bitmap->tids != NULL && bitmap->tids != bitmap->data->constant_tids)
		ssdpar_tid_bitmap_free(bitmap->tids);
	bitmap->tids = NULL;
}

/* The bitmap so far is to be kept, in place of the one before. */
static void
keep_tids(Bitmap *bitmap)
{
	SsdparStarData *data = bitmap->data;

	if (data->constant_tids != NULL)
		ssdpar_tid_bitmap_free(data->constant_tids);
	data->constant_tids = bitmap->tids;
	data->constant_rows = bitmap->choice.rows;
	data->constant_area = bitmap->choice.area;
	data->constant_blocks = bitmap->nblocks;
}

/*
 * AND what an index finds with what was found before.  How many rows the first
 * one had is known now.  To be kept is what has only constant keys in it.
 */
static void
and_index(Bitmap *bitmap, int option)
{
	SsdparIndexChoice *choice = &bitmap->choice;
	int			reducer = bitmap->reducers[option];
	bool		kept = choice->options[option].first &&
		bitmap->tids == bitmap->data->constant_tids;
	SsdparReducerResult *result = &bitmap->result->reducers[reducer];
	SsdparTidBitmap *tids = create_tids(bitmap, kept);
	SsdparIndexCounts counts = {0};

	read_index(bitmap, option, tids, &counts);
	result->by_index = true;
	result->exact = bitmap->keys[reducer].exact;
	result->index_rows = counts.rows;
	result->index_leaves = counts.leaves;
	ssdpar_index_was_read(choice, option);
	if (bitmap->tids == NULL)
		choice->rows = counts.rows;
	free_tids(bitmap);
	bitmap->tids = tids;
	if (kept)
		keep_tids(bitmap);
}

/*
 * The fact is scanned sequentially without memory for the list of pages, and
 * where these are so many that it takes no longer.
 */
static void
keep_pages(const SsdparStarPlan *plan, const SsdparTidBitmap *tids,
		   SsdparStarData *data)
{
	SsdparStarResult *result = data->result;
	void	   *memory =
		ssdpar_star_data_allocate(data, ssdpar_tid_pages_size(tids),
								  &result->pages);

	if (memory == NULL)
		return;
	data->pages = ssdpar_tid_pages_build(tids, memory);
	result->bitmap = true;
	result->lossy_pages = ssdpar_tid_pages_lossy(data->pages);
	result->exact_pages = ssdpar_tid_pages_count(data->pages) -
		result->lossy_pages;
	result->too_many_pages =
		ssdpar_reads_too_many(plan, ssdpar_tid_pages_count(data->pages));
	if (result->too_many_pages)
		ssdpar_star_data_forget_pages(data);
}

/*
 * Begin with what was kept of an earlier run, of which the snapshot is the
 * same: it sees no row in pages that have come since.  Else with the table's
 * size, which is taken after the indexes are locked for serializable
 * transactions: rows inserted beyond it are found by those locks.
 */
static void
begin_tids(Bitmap *bitmap)
{
	const SsdparStarData *data = bitmap->data;
	SsdparIndexChoice *choice = &bitmap->choice;

	bitmap->nblocks = RelationGetNumberOfBlocks(bitmap->fact);
	ssdpar_index_choice_begin(choice, bitmap->plan,
							  bitmap->fact->rd_rel->reltuples,
							  bitmap->nblocks);
	if (data->constant_tids == NULL)
		return;
	Assert(bitmap->repeated);
	bitmap->tids = data->constant_tids;
	bitmap->nblocks = data->constant_blocks;
	choice->any_read = true;
	choice->rows = data->constant_rows;
	choice->area = data->constant_area;
}

/*
 * Two bitmaps exist at a time while one index is ANDed to another, or three
 * with one that is kept, and share the memory.
 */
static void
read_indexes(Bitmap *bitmap)
{
	int			noptions = bitmap->choice.noptions;
	int			next;

	bitmap->bytes = (Size) work_mem * 1024 /
		(bitmap->repeated ? 3 : noptions > 1 ? 2 : 1);
	while ((next = ssdpar_choose_index(&bitmap->choice)) >= 0)
		and_index(bitmap, next);
	if (bitmap->tids == NULL)
		return;
	keep_pages(bitmap->plan, bitmap->tids, bitmap->data);
	free_tids(bitmap);
}

void
ssdpar_build_bitmap(const SsdparStarPlan *plan, Relation fact,
					Snapshot snapshot, const SsdparLookupKeys *keys,
					const SsdparParticipant *participant,
					SsdparStarData *data)
{
	Bitmap		bitmap = {
		.plan = plan,
		.fact = fact,
		.keys = keys,
		.participant = participant,
		.data = data,
		.result = data->result,
		.repeated = ssdpar_star_is_repeated(plan, data),
	};

	data->result->index_readers = 1;
	find_options(&bitmap, snapshot);
	begin_tids(&bitmap);
	data->result->too_many_pages = bitmap.choice.noptions > 0 &&
		ssdpar_reads_too_many(plan, ssdpar_expected_pages(&bitmap.choice));
	if (!data->result->too_many_pages)
		read_indexes(&bitmap);
	close_indexes(&bitmap);
}
