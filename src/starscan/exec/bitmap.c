/*
 * bitmap.c
 *		Bitmap access of a star scan, first half: looks up the collected keys
 *		in the fact's indexes and ANDs the resulting TID bitmaps.
 *
 * index_choice.c chooses which indexes to read, and whether a bitmap pays off
 * at all, from the number of keys actually collected.  Each further index can
 * only remove rows that the previous ones found.  The result is a list of
 * pages and rows for bitmap_scan.c.
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

/*
 * Invariant: while an index is read in steps, reading is not NULL and found is
 * the bitmap for option.
 */
struct SsdparBitmapBuilder
{
	const SsdparStarPlan *plan;
	Relation	fact;
	const SsdparLookupKeys *keys;
	const SsdparParticipant *participant;
	SsdparStarData *data;
	SsdparStarResult *result;
	bool		repeated;		/* the bitmap of constant reducers is kept */
	Size		bytes;			/* memory limit of each bitmap */
	SsdparIndexChoice choice;
	int		   *reducers;		/* reducer number of each option */
	Relation   *indexes;
	BlockNumber nblocks;		/* size of the fact */
	SsdparTidBitmap *tids;		/* NULL before the first index */
	int			option;
	bool		kept;			/* found will be kept for later runs */
	SsdparTidBitmap *found;
	SsdparIndexCounts counts;
};

typedef struct SsdparBitmapBuilder Bitmap;

/*
 * Returns the index of reducer i, or NULL if it cannot be read.
 *
 * Serializable transactions have to detect later insertions of the keys.  We
 * lock the whole index, which is coarse but simple.  An index that was not
 * planned is not worth the serialization failures that this lock can cause.
 *
 * There may be keys but no index, because the keys were collected for other
 * partitions.
 */
static Relation
readable_index(const Bitmap *bitmap, int i, Relation index, Snapshot snapshot)
{
	if (index == NULL || !bitmap->keys[i].wanted ||
		(!bitmap->plan->reducers[i].index_planned &&
		 IsolationIsSerializable()) || !ssdpar_index_readable(index))
		return NULL;
	PredicateLockRelation(index, snapshot);
	return index;
}

static void
find_options(Bitmap *bitmap, const Relation *indexes, Snapshot snapshot)
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
		Relation	index = readable_index(bitmap, i, indexes[i], snapshot);

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

/*
 * Creates an empty bitmap for the rows that an index finds.  A bitmap to be
 * kept is allocated in the result's context.
 */
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

/* Frees the current bitmap unless it is kept.  */
static void
free_tids(Bitmap *bitmap)
{
	if (bitmap->tids != NULL && bitmap->tids != bitmap->data->constant_tids)
		ssdpar_tid_bitmap_free(bitmap->tids);
	bitmap->tids = NULL;
}

/* Keeps the current bitmap for later runs, replacing the one kept before.  */
static void
keep_tids(Bitmap *bitmap)
{
	SsdparStarData *data = bitmap->data;

	if (data->constant_tids != NULL)
		ssdpar_tid_bitmap_free(data->constant_tids);
	data->constant_tids = bitmap->tids;
	data->in_constant_tids[bitmap->reducers[bitmap->option]] = true;
	data->constant_rows = bitmap->choice.rows;
	data->constant_area = bitmap->choice.area;
	data->constant_blocks = bitmap->nblocks;
}

/*
 * Do other processes share the reads of this index?  As in core, the number of
 * leaf pages to be read decides whether that pays off.
 */
static bool
is_shared(const Bitmap *bitmap, int option)
{
	return bitmap->participant != NULL &&
		bitmap->keys[bitmap->reducers[option]].integers != NULL &&
		bitmap->choice.options[option].leaves >= min_parallel_index_scan_size;
}

static void
read_shared(Bitmap *bitmap)
{
	const SsdparLookupKeys *keys =
		&bitmap->keys[bitmap->reducers[bitmap->option]];
	SsdparIndexTask task = {
		.index = bitmap->indexes[bitmap->option],
		.keys = keys->integers,
		.nkeys = keys->nkeys,
		.nblocks = bitmap->nblocks,
		.bitmap_bytes = bitmap->bytes,
		.within = bitmap->tids,
	};

	bitmap->result->index_readers =
		ssdpar_participant_read(bitmap->participant, &task, bitmap->found,
								&bitmap->counts);
}

/*
 * Starts to read an index.  The bitmap is kept only if it depends on nothing
 * but constant keys.
 */
static void
read_index(Bitmap *bitmap, int option)
{
	const SsdparLookupKeys *keys = &bitmap->keys[bitmap->reducers[option]];
	Relation	index = bitmap->indexes[option];

	bitmap->option = option;
	bitmap->kept = bitmap->choice.options[option].first &&
		bitmap->tids == bitmap->data->constant_tids;
	bitmap->found = create_tids(bitmap, bitmap->kept);
	memset(&bitmap->counts, 0, sizeof(SsdparIndexCounts));
	pgstat_count_index_scan(index);
	if (is_shared(bitmap, option))
		read_shared(bitmap);
	else if (keys->integers != NULL)
		ssdpar_index_rows_by_integer(index, keys->integers, keys->nkeys,
									 ssdpar_page_method(index),
									 ssdpar_io_concurrency, bitmap->found,
									 &bitmap->counts);
	else
		ssdpar_index_rows_by_datum(index, keys->datums, keys->nkeys,
								   ssdpar_page_method(index),
								   ssdpar_io_concurrency, bitmap->found,
								   &bitmap->counts);
}

/*
 * Marks all reducers as inexact, so that rows are tested against their keys.
 *
 * The previous bitmaps let all rows of their lossy pages pass.  If the last
 * index has made such a page exact, its rows are known to satisfy only the
 * last reducer.  Leaving these pages lossy would be worse: it would keep pages
 * that have some row for each index but none for all of them.
 */
static void
test_others(Bitmap *bitmap)
{
	for (int i = 0; i < bitmap->plan->nreducers; i++)
		bitmap->result->reducers[i].exact = false;
}

/*
 * Replaces the current bitmap by found, which is already restricted to it.
 * After the first index, the number of rows is known exactly.
 */
static void
and_index(Bitmap *bitmap)
{
	SsdparIndexChoice *choice = &bitmap->choice;
	int			reducer = bitmap->reducers[bitmap->option];
	SsdparReducerResult *result = &bitmap->result->reducers[reducer];

	if (ssdpar_tid_bitmap_is_beyond(bitmap->found))
		test_others(bitmap);
	result->by_index = true;
	result->exact = bitmap->keys[reducer].exact;
	result->index_rows = bitmap->counts.rows;
	result->index_leaves = bitmap->counts.leaves;
	ssdpar_index_was_read(choice, bitmap->option);
	if (bitmap->tids == NULL)
		choice->rows = bitmap->counts.rows;
	free_tids(bitmap);
	bitmap->tids = bitmap->found;
	if (bitmap->kept)
		keep_tids(bitmap);
}

/*
 * Builds the list of pages.
 *
 * The fact is scanned sequentially instead if the bitmap has so many pages
 * that a sequential scan is faster, or if there is no memory for the list.
 * The number of pages is checked before the list is built, because the list
 * can be larger than the bitmap.
 */
static void
keep_pages(const SsdparStarPlan *plan, const SsdparTidBitmap *tids,
		   SsdparStarData *data)
{
	SsdparStarResult *result = data->result;
	uint32		count;
	Size		size = ssdpar_tid_pages_size(tids, &count);
	void	   *memory;

	result->too_many_pages = ssdpar_reads_too_many(plan, count);
	if (result->too_many_pages)
		return;
	memory = ssdpar_star_data_allocate(data, size, &result->pages);
	if (memory == NULL)
		return;
	data->pages = ssdpar_tid_pages_build(tids, memory);
	result->bitmap = true;
	result->lossy_pages = ssdpar_tid_pages_lossy(data->pages);
	result->exact_pages = count - result->lossy_pages;
}

/*
 * Starts from the bitmap kept from an earlier run, if there is one.  The
 * snapshot is the same, so it sees no rows in pages added since then.
 *
 * Otherwise, takes the current size of the table.  In a serializable
 * transaction the indexes have been locked before, so rows inserted beyond
 * this size are detected by those locks.
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
 * Two bitmaps exist at a time while one index is ANDed with another, or three
 * if one of them is kept.  They share work_mem.
 */
SsdparBitmapBuilder *
ssdpar_bitmap_builder_create(const SsdparStarPlan *plan, Relation fact,
							 const Relation *indexes, Snapshot snapshot,
							 const SsdparLookupKeys *keys,
							 const SsdparParticipant *participant,
							 SsdparStarData *data)
{
	Bitmap	   *bitmap = palloc0_object(Bitmap);

	bitmap->plan = plan;
	bitmap->fact = fact;
	bitmap->keys = keys;
	bitmap->participant = participant;
	bitmap->data = data;
	bitmap->result = data->result;
	bitmap->repeated = ssdpar_star_is_repeated(plan, data);
	data->result->index_readers = 1;
	find_options(bitmap, indexes, snapshot);
	bitmap->bytes = (Size) work_mem * 1024 /
		(bitmap->repeated ? 3 : bitmap->choice.noptions > 1 ? 2 : 1);
	begin_tids(bitmap);
	data->result->too_many_pages = bitmap->choice.noptions > 0 &&
		ssdpar_reads_too_many(plan, ssdpar_expected_pages(&bitmap->choice));
	return bitmap;
}

void
ssdpar_bitmap_builder_run(SsdparBitmapBuilder *builder)
{
	int			next;

	if (builder->result->too_many_pages)
		return;
	while ((next = ssdpar_choose_index(&builder->choice)) >= 0)
	{
		read_index(builder, next);
		and_index(builder);
	}
	if (builder->tids == NULL)
		return;
	keep_pages(builder->plan, builder->tids, builder->data);
	free_tids(builder);
}
