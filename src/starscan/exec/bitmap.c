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
	bool		first;			/* before all that are not */
	double		rows;			/* it is expected to find */
	double		fraction;		/* of the table that is */
} Source;

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
	Source	   *sources;
	int			nsources;
	BlockNumber nblocks;		/* of the fact */
	SsdparTidBitmap *tids;		/* NULL before the first index */
	double		rows;			/* expected to be in it */
} Bitmap;

static int
compare_sources(const void *a, const void *b)
{
	const Source *one = a;
	const Source *other = b;

	if (one->first != other->first)
		return one->first ? -1 : 1;
	return (one->rows > other->rows) - (one->rows < other->rows);
}

/*
 * Will the scan be run again with other keys of some of its indexes, and the
 * same of others?  What these say is worth keeping then.
 */
static bool
is_repeated(const SsdparStarPlan *plan, const SsdparStarData *data)
{
	bool		constant = false;
	bool		variable = false;

	if (data->area != NULL)
		return false;
	for (int i = 0; i < plan->nreducers; i++)
	{
		if (!OidIsValid(plan->reducers[i].index))
			continue;
		constant |= data->constant[i];
		variable |= !data->constant[i];
	}
	return constant && variable;
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
		source->first = bitmap->repeated && bitmap->data->constant[i];
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
read_index(Bitmap *bitmap, const Source *source, SsdparTidBitmap *tids,
		   SsdparIndexCounts *counts)
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
		.bitmap_bytes = bitmap->bytes,
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

/* An empty bitmap for what the source finds; one to be kept lives longer. */
static SsdparTidBitmap *
create_tids(const Bitmap *bitmap, const Source *source)
{
	MemoryContext before =
		MemoryContextSwitchTo(source->first ? bitmap->data->context :
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
	data->constant_rows = bitmap->rows;
	data->constant_blocks = bitmap->nblocks;
}

/* AND what the source finds with what was found before. */
static void
and_source(Bitmap *bitmap, const Source *source)
{
	SsdparReducerResult *result = &bitmap->result->reducers[source->reducer];
	SsdparTidBitmap *tids = create_tids(bitmap, source);
	SsdparIndexCounts counts = {0};

	read_index(bitmap, source, tids, &counts);
	result->by_index = true;
	result->exact = bitmap->keys[source->reducer].exact;
	result->index_rows = counts.rows;
	result->index_leaves = counts.leaves;
	if (bitmap->tids != NULL)
		bitmap->rows *= source->fraction;
	else
		bitmap->rows = counts.rows;
	free_tids(bitmap);
	bitmap->tids = tids;
	if (source->first)
		keep_tids(bitmap);
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
 * Begin with what was kept of an earlier run, of which the snapshot is the
 * same: it sees no row in pages that have come since.  Else with the table's
 * size, which is taken after the indexes are locked for serializable
 * transactions: rows inserted beyond it are found by those locks.
 */
static void
begin_tids(Bitmap *bitmap)
{
	const SsdparStarData *data = bitmap->data;

	bitmap->nblocks = RelationGetNumberOfBlocks(bitmap->fact);
	if (data->constant_tids == NULL)
		return;
	Assert(bitmap->repeated);
	bitmap->tids = data->constant_tids;
	bitmap->rows = data->constant_rows;
	bitmap->nblocks = data->constant_blocks;
}

/*
 * Two bitmaps exist at a time while one source is ANDed to another, or three
 * with one that is kept, and share the memory.  A source is asked if it reads
 * at most as many leaves as heap pages can be saved, of which there are no more
 * than rows.
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
		.data = data,
		.result = data->result,
		.repeated = is_repeated(plan, data),
	};

	data->result->index_readers = 1;
	find_sources(&bitmap, snapshot);
	begin_tids(&bitmap);
	bitmap.bytes = (Size) work_mem * 1024 /
		(bitmap.repeated ? 3 : bitmap.nsources > 1 ? 2 : 1);
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
		free_tids(&bitmap);
	}
}
