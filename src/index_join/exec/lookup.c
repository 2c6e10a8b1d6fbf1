/*
 * lookup.c
 *		Outer rows in batches, each row with its partners.
 *
 *		batch	outer rows, read ahead of need: as many as are expected where
 *				all are wanted, else one, and then twice as many each time, as
 *				far as their part of the memory goes that a hash table might
 *				take (outer_rows.c)
 *		group	those of them whose keys are looked up together: the whole
 *				batch, or as many as have few enough matches (matches.c)
 *		portion	the matches whose tuples are there: all of the group's, or, if
 *				it is one row with more than fit, some of them (heap_rows.c)
 *
 * Where many more outer rows come than the planner expected, and reading the
 * inner table once would take less time than looking up as many again, that is
 * done (inner_hash.c): from the batch at hand on partners are found in memory.
 *
 * So memory is bounded, but for the addresses of one row's matches, sixteen
 * bytes each.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "executor/nodeHash.h"
#include "miscadmin.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "index_join/exec/heap_rows.h"
#include "index_join/exec/inner_hash.h"
#include "index_join/exec/lookup.h"
#include "index_join/exec/matches.h"
#include "index_join/exec/outer_rows.h"

/* Once nothing is looked up, more rows at a time gain nothing. */
#define MOST_ROWS_GONE_OVER 64

/* What part of the memory outer rows get: their columns are mostly few. */
#define OUTER_SHARE 4

/* Bytes of a match with its tuple: of most, and at least. */
#define USUAL_MATCH_BYTES 256.0
#define LEAST_MATCH_BYTES 64.0

/* Of these at a time: there are limits to what is read ahead (page_list.h). */
#define MOST_MATCHES (32 * 1024 * 1024)

/*
 * Invariants: row <= group_end <= rows.count; matches before portion_end have
 * been fetched, and the current row's next one is none of those before them.
 * With a hash there are neither groups nor matches.
 */
struct SsdparLookup
{
	SsdparLookupSource source;
	SsdparJoinCounters **counters;
	MemoryContext context;
	bool		ended;			/* no outer row comes any more */
	SsdparOuterRows rows;
	uint32		row;			/* the next one */
	uint32		group_end;
	SsdparMatches matches;
	uint64		match;			/* the current row's next one */
	uint64		match_end;
	SsdparHeapRows *heap_rows;
	uint64		portion_end;	/* matches from here on have no tuples */
	uint64		portion;		/* of the next portion of one row */
	double		match_bytes;	/* of a match with its tuple, mean */
	double		row_matches;	/* of an outer row, mean of the last group */
	Size		memory;			/* bytes for matches, or the hash */

	/* Of all runs. */
	double		come;			/* outer rows */
	double		looked_up;		/* of these, and ... */
	double		keys;			/* ... the distinct keys of their groups */
	SsdparInnerHash *hash;		/* NULL: not gone over */
	bool		does_not_fit;	/* it has been tried */
};

/* Until some have been seen.  The planner takes them for as wide. */
static double
expected_match_bytes(const SsdparLookupSource *source)
{
	Form_pg_class table = source->heap->rd_rel;

	if (source->only != NULL || table->reltuples <= 0)
		return USUAL_MATCH_BYTES;
	return Max((double) table->relpages * BLCKSZ / table->reltuples,
			   USUAL_MATCH_BYTES);
}

SsdparLookup *
ssdpar_lookup_begin(const SsdparLookupSource *source,
					SsdparJoinCounters **counters)
{
	SsdparLookup *lookup = palloc0_object(SsdparLookup);
	Size		memory = get_hash_memory_limit();

	lookup->source = *source;
	lookup->counters = counters;
	lookup->context = CurrentMemoryContext;
	lookup->memory = memory - memory / OUTER_SHARE;
	ssdpar_outer_rows_init(&lookup->rows, source->key, memory / OUTER_SHARE);
	ssdpar_matches_init(&lookup->matches, source->index, lookup->memory);
	lookup->heap_rows = ssdpar_heap_rows_begin(source->heap, source->index,
											   source->snapshot);
	lookup->match_bytes = expected_match_bytes(source);
	ssdpar_lookup_rescan(lookup);
	return lookup;
}

/* Matches that there is memory for. */
static uint64
most_matches(const SsdparLookup *lookup)
{
	double		matches = lookup->memory / lookup->match_bytes;

	return Max(Min(matches, MOST_MATCHES), 1);
}

/* With some to spare, as they are not all as wide. */
static uint64
usual_matches(const SsdparLookup *lookup)
{
	return Max((uint64) (0.8 * most_matches(lookup)), 1);
}

/*
 * Would reading the inner table take less time than looking up the rows that
 * are still to come?  Those at hand are certain; if there may be more, as many
 * as have come so far again.  A key is looked up once a batch, however many
 * rows have it.  The table may have grown since the planner saw it.
 */
static bool
would_pay(const SsdparLookup *lookup)
{
	const SsdparGoOver *go_over = lookup->source.go_over;
	double		rows = lookup->rows.count;
	double		keys;

	if (lookup->does_not_fit || go_over->keys <= 0.0 ||
		lookup->come <= go_over->expected)
		return false;
	if (!lookup->ended)
		rows = Max(rows, lookup->come / 2);
	keys = rows * (lookup->looked_up > 0.0 ?
				   lookup->keys / lookup->looked_up : 1.0);
	return keys >= go_over->keys &&
		keys >= go_over->keys *
		RelationGetNumberOfBlocks(lookup->source.heap) / go_over->pages;
}

/* The rows at hand and all that follow find their partners in memory. */
static void
go_over(SsdparLookup *lookup)
{
	SsdparInnerSource source = {
		.heap = lookup->source.heap,
		.snapshot = lookup->source.snapshot,
		.plan_node_id = lookup->source.plan_node_id,
		.key = &lookup->source.go_over->key,
		.columns = lookup->source.inner_columns,
		.ncolumns = lookup->source.ninner,
		.outer_row = ExecGetResultType(lookup->source.outer),
	};
	SsdparJoinCounters *counters = *lookup->counters;
	MemoryContext before = MemoryContextSwitchTo(lookup->context);
	uint64		nrows;

	ssdpar_matches_clear(&lookup->matches);
	ssdpar_heap_rows_clear(lookup->heap_rows);
	lookup->hash = ssdpar_inner_hash_build(&source, lookup->memory, &nrows);
	MemoryContextSwitchTo(before);
	if (lookup->hash == NULL)
	{
		lookup->does_not_fit = true;
		counters->not_fit += nrows;
		return;
	}
	lookup->rows.wanted = MOST_ROWS_GONE_OVER;
	counters->gone_over++;
	counters->gone_over_after += (uint64) lookup->looked_up;
	counters->hashed += nrows;
}

static void
grow_batch(SsdparLookup *lookup)
{
	SsdparOuterRows *rows = &lookup->rows;

	if (rows->count == rows->wanted &&
		(lookup->hash == NULL || rows->wanted < MOST_ROWS_GONE_OVER))
		rows->wanted *= 2;
}

/* False at the end. */
static bool
read_batch(SsdparLookup *lookup)
{
	SsdparOuterRows *rows = &lookup->rows;

	ssdpar_outer_rows_clear(rows);
	while (!lookup->ended && ssdpar_outer_rows_has_room(rows))
	{
		TupleTableSlot *slot = ExecProcNode(lookup->source.outer);

		if (TupIsNull(slot))
			lookup->ended = true;
		else
			ssdpar_outer_rows_add(rows, slot);
	}
	lookup->row = 0;
	lookup->group_end = 0;
	if (rows->count == 0)
		return false;
	lookup->come += rows->count;
	if (lookup->hash == NULL && would_pay(lookup))
		go_over(lookup);
	if (lookup->hash == NULL)
		(*lookup->counters)->batches++;
	(*lookup->counters)->rows += rows->count;
	grow_batch(lookup);
	return true;
}

/*
 * The tuples of the matches from the last portion's end on.  False if those of
 * more than one do not fit.
 */
static bool
fetch_portion(SsdparLookup *lookup, uint64 count)
{
	uint64		first = lookup->portion_end;

	count = Min(count, lookup->matches.count - first);
	if (!ssdpar_heap_rows_fetch(lookup->heap_rows, &lookup->matches, first,
								first + count, lookup->memory,
								*lookup->counters))
	{
		lookup->match_bytes = Max(lookup->match_bytes,
								  (double) lookup->memory / count);
		return false;
	}
	lookup->portion_end = first + count;
	/* of a few little can be told: the least block that is allocated counts */
	if (count >= Max(most_matches(lookup) / 16, 1))
		lookup->match_bytes = sizeof(SsdparMatch) +
			Max((double) (ssdpar_heap_rows_size(lookup->heap_rows) +
						  lookup->matches.tuple_bytes) / count,
				LEAST_MATCH_BYTES);
	return true;
}

/* The next portion of one row. */
static void
fetch_some(SsdparLookup *lookup)
{
	while (!fetch_portion(lookup, lookup->portion))
		lookup->portion = Max(lookup->portion / 2, 1);
}

/*
 * One row may have more matches than fit: then some are fetched at a time, few
 * to begin with, as it may be that not all are wanted.  False if those of
 * several rows do not fit.
 */
static bool
find_partners(SsdparLookup *lookup, uint32 nrows)
{
	lookup->portion_end = 0;
	if (nrows > 1)
		return fetch_portion(lookup, lookup->matches.count);
	if (lookup->matches.count > 1)
		ssdpar_matches_sort(&lookup->matches);
	fetch_some(lookup);
	return true;
}

/* Rows whose matches are expected to fit; one at least. */
static uint32
group_rows(const SsdparLookup *lookup)
{
	uint32		left = lookup->rows.count - lookup->row;
	double		fit = usual_matches(lookup) / Max(lookup->row_matches, 0.01);

	Assert(left > 0);
	return Max((uint32) Min(fit, left), 1);
}

/* False if there are too many matches; never for one row without tuples. */
static bool
find_matches(SsdparLookup *lookup, uint32 nrows)
{
	SsdparMatches *matches = &lookup->matches;
	bool		bounded = nrows > 1 || ssdpar_matches_have_tuples(matches);

	return ssdpar_matches_find(matches, &lookup->rows, lookup->row,
							   lookup->row + nrows,
							   bounded ? most_matches(lookup) : 0,
							   *lookup->counters);
}

/*
 * Look up the next rows of the batch.  Where that gives too many matches all
 * the same, or too wide ones, half as many, until it is one; and if the index's
 * tuples for one are too many, that row's are fetched from the table.
 */
static void
open_group(SsdparLookup *lookup)
{
	SsdparMatches *matches = &lookup->matches;
	uint32		nrows = group_rows(lookup);

	matches->only = lookup->source.only;
	while (!find_matches(lookup, nrows) || !find_partners(lookup, nrows))
	{
		if (nrows == 1)
			matches->only = NULL;
		nrows = Max(nrows / 2, 1);
	}
	lookup->group_end = lookup->row + nrows;
	lookup->looked_up += nrows;
	lookup->keys += matches->nkeys;
	lookup->row_matches = (double) matches->count / nrows;
	(*lookup->counters)->keys += matches->nrows;
	(*lookup->counters)->distinct += matches->nkeys;
}

MinimalTuple
ssdpar_lookup_next_row(SsdparLookup *lookup)
{
	const SsdparOuterRow *row;

	if (lookup->row == lookup->rows.count && !read_batch(lookup))
		return NULL;
	if (lookup->hash == NULL && lookup->row == lookup->group_end)
		open_group(lookup);
	row = &lookup->rows.rows[lookup->row++];
	if (lookup->hash != NULL)
	{
		ssdpar_inner_hash_look_for(lookup->hash, row->tuple);
		return row->tuple;
	}
	lookup->match = 0;
	lookup->match_end = 0;
	if (row->key != SSDPAR_NO_KEY)
	{
		lookup->match = lookup->matches.keys[row->key].first;
		lookup->match_end = lookup->matches.keys[row->key].end;
	}
	return row->tuple;
}

/* Only a group of one row has more than one portion. */
bool
ssdpar_lookup_next_partner(SsdparLookup *lookup, SsdparPartner *partner)
{
	partner->index = NULL;
	if (lookup->hash != NULL)
	{
		partner->heap = ssdpar_inner_hash_next(lookup->hash);
		return partner->heap != NULL;
	}
	while (lookup->match < lookup->match_end)
	{
		const SsdparMatch *match;

		if (lookup->match == lookup->portion_end)
		{
			Assert(lookup->matches.nkeys == 1);
			lookup->portion = Min(2 * lookup->portion, usual_matches(lookup));
			fetch_some(lookup);
		}
		Assert(lookup->match < lookup->portion_end);
		match = &lookup->matches.matches[lookup->match++];
		if (!match->found)
			continue;
		partner->heap = lookup->matches.only == NULL ? match->tuple.heap : NULL;
		partner->index = lookup->matches.only != NULL ? match->tuple.index
			: NULL;
		return true;
	}
	return false;
}

/*
 * The next query of the rows may want few again.  What was read of the inner
 * table stays: no parameter was asked for it.
 */
void
ssdpar_lookup_rescan(SsdparLookup *lookup)
{
	ssdpar_outer_rows_clear(&lookup->rows);
	ssdpar_matches_clear(&lookup->matches);
	ssdpar_heap_rows_clear(lookup->heap_rows);
	lookup->ended = false;
	lookup->rows.wanted = lookup->source.first_batch;
	lookup->row = 0;
	lookup->group_end = 0;
	lookup->match = 0;
	lookup->match_end = 0;
	lookup->portion_end = 0;
	lookup->portion = 1;
}

void
ssdpar_lookup_end(SsdparLookup *lookup)
{
	if (lookup->hash != NULL)
		ssdpar_inner_hash_end(lookup->hash);
	ssdpar_heap_rows_end(lookup->heap_rows);
}
