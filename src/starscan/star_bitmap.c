/*
 * star_bitmap.c
 *		A star scan's way by bitmap, first half: asks the fact's indexes for
 *		the rows of the keys found, and ANDs what they say.
 *
 * The index that finds the fewest rows goes first, and each next one only
 * adds to the set what the ones before have found.  An index that would have
 * more leaf pages read than there are heap pages left to save is not asked.
 * The result is a list of pages and rows for star_pages.c.
 */
#include "postgres.h"

#include "access/genam.h"
#include "miscadmin.h"
#include "optimizer/paths.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "storage/predicate.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "prefetch/page_list.h"
#include "settings.h"
#include "starscan/index_rows.h"
#include "starscan/star_state.h"
#include "starscan/star_team.h"

/* Row addresses on a leaf page, in the order of size. */
#define ROWS_PER_LEAF 256.0

/* An index that can be asked. */
typedef struct Source
{
	int			number;			/* of the reducer */
	Relation	index;
	double		rows;			/* it is expected to find */
	double		fraction;		/* of the table that is */
} Source;

typedef struct Bitmap
{
	SsdparStarState *state;
	SsdparStarIndexKeys *index_keys;
	Source	   *sources;
	int			nsources;
	BlockNumber nblocks;		/* of the fact */
	SsdparTidSet *set;
	double		rows;			/* expected to be in set */
} Bitmap;

/* The planner's fraction, corrected by the number of keys there really are. */
static double
expect_fraction(const SsdparReducer *reducer, const SsdparStarFound *found)
{
	double		keys = Max(reducer->keys, 1.0);

	return Min(reducer->selectivity * ((double) found->keys / keys), 1.0);
}

static int
compare_sources(const void *a, const void *b)
{
	double		rows_a = ((const Source *) a)->rows;
	double		rows_b = ((const Source *) b)->rows;

	return (rows_a > rows_b) - (rows_a < rows_b);
}

/*
 * Serializable transactions have to see later insertions of the keys: locking
 * the index as a whole is coarse, and simple.
 */
static void
add_source(Bitmap *bitmap, int number)
{
	SsdparStarState *state = bitmap->state;
	const SsdparReducer *reducer = &state->plan->reducers[number];
	Relation	index = index_open(reducer->index, AccessShareLock);
	Source	   *source = &bitmap->sources[bitmap->nsources];

	if (!ssdpar_index_readable(index))
	{
		index_close(index, NoLock);
		return;
	}
	PredicateLockRelation(index, state->css.ss.ps.state->es_snapshot);
	source->number = number;
	source->index = index;
	source->fraction = expect_fraction(reducer,
									   &state->result->found[number]);
	source->rows = source->fraction *
		Max(state->css.ss.ss_currentRelation->rd_rel->reltuples, 1.0);
	bitmap->nsources++;
}

static void
find_sources(Bitmap *bitmap)
{
	int			n = bitmap->state->plan->nreducers;

	bitmap->sources = palloc0(n * sizeof(Source));
	for (int i = 0; i < n; i++)
	{
		if (bitmap->index_keys[i].wanted)
			add_source(bitmap, i);
	}
	qsort(bitmap->sources, bitmap->nsources, sizeof(Source),
		  compare_sources);
}

/* Two sets exist at a time while one is ANDed with the next. */
static Size
set_bytes(const Bitmap *bitmap)
{
	return (Size) work_mem * 1024 / (bitmap->nsources > 1 ? 2 : 1);
}

/* Leaf pages that the source's keys lie on. */
static double
expect_leaves(const Bitmap *bitmap, const Source *source)
{
	double		keys = bitmap->index_keys[source->number].nkeys;
	double		pages = RelationGetNumberOfBlocks(source->index);

	return Max(source->rows / ROWS_PER_LEAF, Min(keys, pages));
}

/*
 * Should other processes help?  The server's own measure for that is how much
 * of an index is to be read.
 */
static bool
is_worth_sharing(const Bitmap *bitmap, const Source *source)
{
	return bitmap->state->shared != NULL &&
		bitmap->index_keys[source->number].integers != NULL &&
		expect_leaves(bitmap, source) >= min_parallel_index_scan_size;
}

static void
read_index(Bitmap *bitmap, const Source *source, SsdparTidSet *set,
		   SsdparIndexCounts *counts)
{
	SsdparStarIndexKeys *keys = &bitmap->index_keys[source->number];
	SsdparStarResult *result = bitmap->state->result;
	SsdparPageMethod method = ssdpar_page_method(source->index);

	if (is_worth_sharing(bitmap, source))
	{
		SsdparStarTask task = {
			.index = source->index,
			.keys = keys->integers,
			.nkeys = keys->nkeys,
			.nblocks = bitmap->nblocks,
			.set_bytes = set_bytes(bitmap),
			.within = bitmap->set,
		};

		result->builders = ssdpar_star_team_read(bitmap->state, &task, set,
												 counts);
	}
	else if (keys->integers != NULL)
		ssdpar_index_rows_by_integer(source->index, keys->integers,
									 keys->nkeys, method,
									 ssdpar_io_concurrency, set, counts);
	else
		ssdpar_index_rows_by_datum(source->index, keys->datums, keys->nkeys,
								   method, ssdpar_io_concurrency, set,
								   counts);
}

static void
ask_index(Bitmap *bitmap, const Source *source, SsdparTidSet *set)
{
	SsdparStarFound *found = &bitmap->state->result->found[source->number];
	SsdparIndexCounts counts = {0};

	pgstat_count_index_scan(source->index);
	read_index(bitmap, source, set, &counts);
	found->by_index = true;
	found->exact = bitmap->index_keys[source->number].exact;
	found->index_rows = counts.rows;
	found->index_leaves = counts.leaves;
}

/* At most as many heap pages as rows can be saved. */
static bool
is_worth_asking(const Bitmap *bitmap, const Source *source)
{
	return bitmap->set == NULL ||
		source->rows / ROWS_PER_LEAF < bitmap->rows;
}

static void
and_source(Bitmap *bitmap, const Source *source)
{
	SsdparTidSet *set = ssdpar_tid_set_create(bitmap->nblocks,
											  set_bytes(bitmap), bitmap->set);
	SsdparStarFound *found = &bitmap->state->result->found[source->number];

	ask_index(bitmap, source, set);
	if (bitmap->set != NULL)
	{
		ssdpar_tid_set_free(bitmap->set);
		bitmap->rows *= source->fraction;
	}
	else
		bitmap->rows = found->index_rows;
	bitmap->set = set;
}

/* Without memory for the list of pages the fact is scanned sequentially. */
static bool
keep_pages(Bitmap *bitmap)
{
	SsdparStarState *state = bitmap->state;
	SsdparStarResult *result = state->result;
	void	   *memory =
		ssdpar_star_allocate(state, ssdpar_tid_pages_size(bitmap->set),
							 &result->pages);

	if (memory == NULL)
		return false;
	state->pages = ssdpar_tid_pages_build(bitmap->set, memory);
	result->lossy_pages = ssdpar_tid_pages_lossy(state->pages);
	result->exact_pages = ssdpar_tid_pages_count(state->pages) -
		result->lossy_pages;
	return true;
}

/*
 * The table's size is taken after the indexes are locked for serializable
 * transactions: rows inserted beyond it are found by those locks.
 */
bool
ssdpar_star_build_bitmap(SsdparStarState *state,
						 SsdparStarIndexKeys *index_keys)
{
	Bitmap		bitmap = {.state = state, .index_keys = index_keys};
	bool		built = false;

	state->result->builders = 1;
	find_sources(&bitmap);
	bitmap.nblocks =
		RelationGetNumberOfBlocks(state->css.ss.ss_currentRelation);
	for (int i = 0; i < bitmap.nsources; i++)
	{
		if (is_worth_asking(&bitmap, &bitmap.sources[i]))
			and_source(&bitmap, &bitmap.sources[i]);
		index_close(bitmap.sources[i].index, NoLock);
	}
	if (bitmap.set != NULL)
	{
		built = keep_pages(&bitmap);
		ssdpar_tid_set_free(bitmap.set);
	}
	return built;
}
