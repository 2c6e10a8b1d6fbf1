/*
 * bitmap.c
 *		A star scan's bitmap access, first half: asks the fact's indexes for
 *		the rows of the keys collected, and ANDs what they say.
 *
 * The index that finds the fewest rows goes first, and each next one only adds
 * to the bitmap what the ones before have found.  An index that would have
 * more leaf pages read than there are heap pages left to save is not asked.
 * The result is a list of pages and rows for bitmap_scan.c.
 */
#include "postgres.h"

#include "access/genam.h"
#include "miscadmin.h"
#include "optimizer/paths.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "storage/predicate.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "base/settings.h"
#include "starscan/exec/bitmap.h"

/*
 * Row addresses on a leaf page, in the order of size: of one integer they take
 * 20 bytes each with the line pointer, which makes 367 at the default
 * fillfactor and fewer after random insertions; deduplication makes it more.
 */
#define ROWS_PER_LEAF 256.0

/* An index that can be asked. */
typedef struct Source
{
	int			reducer;		/* number of it */
	Relation	index;
	double		rows;			/* it is expected to find */
	double		fraction;		/* of the table that is */
} Source;

typedef struct Bitmap
{
	const SsdparStarPlan *plan;
	Relation	fact;
	const SsdparLookupKeys *keys;
	const SsdparParticipant *participant;
	SsdparStarResult *result;
	Source	   *sources;
	int			nsources;
	BlockNumber nblocks;		/* of the fact */
	SsdparTidBitmap *tids;		/* NULL before the first index */
	double		rows;			/* expected to be in it */
} Bitmap;

static int
compare_sources(const void *a, const void *b)
{
	double		rows_a = ((const Source *) a)->rows;
	double		rows_b = ((const Source *) b)->rows;

	return (rows_a > rows_b) - (rows_a < rows_b);
}

/*
 * The planner's fraction is corrected by the number of keys there really are.
 * Serializable transactions have to see later insertions of the keys: locking
 * the index as a whole is coarse, and simple.
 */
static void
find_sources(Bitmap *bitmap, Snapshot snapshot)
{
	int			n = bitmap->plan->nreducers;

	bitmap->sources = palloc0(n * sizeof(Source));
	for (int i = 0; i < n; i++)
	{
		const SsdparReducer *reducer = &bitmap->plan->reducers[i];
		Source	   *source = &bitmap->sources[bitmap->nsources];
		double		keys = bitmap->result->reducers[i].keys;

		if (!bitmap->keys[i].wanted)
			continue;
		source->index = index_open(reducer->index, AccessShareLock);
		if (!ssdpar_index_readable(source->index))
		{
			index_close(source->index, NoLock);
			continue;
		}
		PredicateLockRelation(source->index, snapshot);
		source->reducer = i;
		source->fraction = Min(reducer->selectivity *
							   (keys / Max(reducer->keys, 1.0)), 1.0);
		source->rows = source->fraction *
			Max(bitmap->fact->rd_rel->reltuples, 1.0);
		bitmap->nsources++;
	}
	qsort(bitmap->sources, bitmap->nsources, sizeof(Source),
		  compare_sources);
}

/*
 * Other processes share the reading if there are any and it is worth it.  The
 * server's own measure for that is how much of an index is to be read: leaf
 * pages that the keys lie on.
 */
static void
read_index(Bitmap *bitmap, const Source *source, Size bytes,
		   SsdparTidBitmap *tids, SsdparIndexCounts *counts)
{
	const SsdparLookupKeys *keys = &bitmap->keys[source->reducer];
	double		pages = RelationGetNumberOfBlocks(source->index);
	double		leaves = Max(source->rows / ROWS_PER_LEAF,
							 Min((double) keys->nkeys, pages));
	SsdparIndexTask task = {
		.index = source->index,
		.keys = keys->integers,
		.nkeys = keys->nkeys,
		.nblocks = bitmap->nblocks,
		.bitmap_bytes = bytes,
		.within = bitmap->tids,
	};

	pgstat_count_index_scan(source->index);
	if (keys->integers == NULL)
		ssdpar_index_rows_by_datum(source->index, keys->datums, keys->nkeys,
								   ssdpar_page_method(source->index),
								   ssdpar_io_concurrency, tids, counts);
	else if (bitmap->participant != NULL &&
			 leaves >= min_parallel_index_scan_size)
		bitmap->result->index_readers =
			ssdpar_participant_read(bitmap->participant, &task, tids, counts);
	else
		ssdpar_index_task_read(&task, 0, 1, tids, counts);
}

/*
 * AND what the source finds with what was found before.  Two bitmaps exist at
 * a time meanwhile, so each may take half of the memory.
 */
static void
and_source(Bitmap *bitmap, const Source *source)
{
	SsdparReducerResult *result = &bitmap->result->reducers[source->reducer];
	Size		bytes = (Size) work_mem * 1024 /
		(bitmap->nsources > 1 ? 2 : 1);
	SsdparTidBitmap *tids = ssdpar_tid_bitmap_create(bitmap->nblocks, bytes,
													 bitmap->tids);
	SsdparIndexCounts counts = {0};

	read_index(bitmap, source, bytes, tids, &counts);
	result->by_index = true;
	result->exact = bitmap->keys[source->reducer].exact;
	result->index_rows = counts.rows;
	result->index_leaves = counts.leaves;
	if (bitmap->tids != NULL)
	{
		ssdpar_tid_bitmap_free(bitmap->tids);
		bitmap->rows *= source->fraction;
	}
	else
		bitmap->rows = counts.rows;
	bitmap->tids = tids;
}

/* Without memory for the list of pages the fact is scanned sequentially. */
static void
keep_pages(const SsdparTidBitmap *tids, SsdparStarData *data)
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
}

/*
 * The table's size is taken after the indexes are locked for serializable
 * transactions: rows inserted beyond it are found by those locks.  A source is
 * asked if it reads at most as many leaves as heap pages can be saved, of
 * which there are no more than rows.
 */
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
		.result = data->result,
	};

	data->result->index_readers = 1;
	find_sources(&bitmap, snapshot);
	bitmap.nblocks = RelationGetNumberOfBlocks(fact);
	for (int i = 0; i < bitmap.nsources; i++)
	{
		Source	   *source = &bitmap.sources[i];

		if (bitmap.tids == NULL || source->rows / ROWS_PER_LEAF < bitmap.rows)
			and_source(&bitmap, source);
		index_close(source->index, NoLock);
	}
	if (bitmap.tids != NULL)
	{
		keep_pages(bitmap.tids, data);
		ssdpar_tid_bitmap_free(bitmap.tids);
	}
}
