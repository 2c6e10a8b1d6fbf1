/*
 * lookup.c
 *		Reads outer rows in batches and finds the partners of each row.
 *
 *		batch	outer rows read in advance.  If all rows are needed, as many as
 *				are expected; otherwise one at first, doubling each time.  They
 *				are limited to a share of the hash memory (outer_rows.c).
 *		group	rows of the batch whose keys are looked up together: the whole
 *				batch, or as many as have few enough matches (matches.c)
 *		alone	a row whose key has more matches than were taken, if one
 *				partner is sufficient and none of these matches is one
 *		portion	the matches whose tuples are in memory: all of the group's or,
 *				for one row with more than fit, some of them (partners.c)
 */
#include "postgres.h"

#include "executor/executor.h"
#include "executor/nodeHash.h"
#include "miscadmin.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "index_join/exec/lookup.h"
#include "index_join/exec/outer_rows.h"

/* The outer rows' part of the memory; they usually have few columns.  */
#define OUTER_SHARE 4

/* The part of the rest for a row looked up alone, and its minimum in bytes.  */
#define ALONE_SHARE 4
#define LEAST_ALONE (32 * 1024)

/*
 * If one partner is sufficient and matches do not fit, a key with more than
 * this part of them is cut to FIRST_MATCHES.  For a row that has no partner
 * among these, the number is multiplied by MORE_MATCHES each time.
 */
#define KEY_SHARE 8
#define FIRST_MATCHES 64
#define MORE_MATCHES 8

/*
 * Invariants: row <= group_end <= rows.count; partners points to group or to
 * alone.
 */
struct SsdparLookup
{
	SsdparLookupSource source;
	SsdparJoinCounters **counters;
	bool		ended;			/* there are no more outer rows */
	SsdparOuterRows rows;
	uint32		row;			/* the next one */
	uint32		group_end;
	SsdparPartners *partners;	/* those of the current row */
	SsdparPartners group;		/* of the rows before group_end */
	SsdparPartners alone;		/* of one row, if one partner is sufficient */
	uint32		alone_key;		/* number of its key in the group, or none */
	uint64		most_alone;		/* matches taken for it */
	double		row_matches;	/* mean for an outer row of the last group */
	Size		memory;			/* limit for matches */
};

static void
init_partners(SsdparLookup *lookup)
{
	const SsdparLookupSource *source = &lookup->source;
	Size		alone = 0;

	if (source->one_is_enough)
		alone = lookup->memory / ALONE_SHARE;
	ssdpar_partners_init(&lookup->group, source->heap, source->index,
						 source->snapshot, source->only, source->order,
						 lookup->memory - alone);
	if (source->one_is_enough)
		ssdpar_partners_init(&lookup->alone, source->heap, source->index,
							 source->snapshot, source->only, source->order,
							 Max(alone, LEAST_ALONE));
}

static void
clear_partners(SsdparLookup *lookup)
{
	ssdpar_partners_clear(&lookup->group);
	if (lookup->source.one_is_enough)
		ssdpar_partners_clear(&lookup->alone);
}

SsdparLookup *
ssdpar_lookup_begin(const SsdparLookupSource *source,
					SsdparJoinCounters **counters)
{
	SsdparLookup *lookup = palloc0_object(SsdparLookup);
	Size		memory = get_hash_memory_limit();

	lookup->source = *source;
	lookup->counters = counters;
	lookup->memory = memory - memory / OUTER_SHARE;
	ssdpar_outer_rows_init(&lookup->rows, source->key, memory / OUTER_SHARE);
	init_partners(lookup);
	ssdpar_lookup_rescan(lookup);
	return lookup;
}

static void
grow_batch(SsdparLookup *lookup)
{
	SsdparOuterRows *rows = &lookup->rows;

	if (rows->count == rows->wanted)
		rows->wanted *= 2;
}

/* Returns false at the end.  */
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
	(*lookup->counters)->batches++;
	(*lookup->counters)->rows += rows->count;
	grow_batch(lookup);
	return true;
}

/*
 * Returns the number of rows whose matches are expected to fit, at least one.
 */
static uint32
group_rows(const SsdparLookup *lookup)
{
	uint32		left = lookup->rows.count - lookup->row;
	double		fit = ssdpar_partners_usual_matches(&lookup->group) /
		Max(lookup->row_matches, 0.01);

	Assert(left > 0);
	return Max((uint32) Min(fit, left), 1);
}

/* Returns the number of matches above which a key may be cut.  */
static uint64
most_of_key(const SsdparLookup *lookup)
{
	return Max(ssdpar_partners_usual_matches(&lookup->group) / KEY_SHARE,
			   FIRST_MATCHES);
}

/*
 * Would cutting leave fewer matches?  For a single row this is always
 * possible.
 */
static bool
would_cut(const SsdparLookup *lookup, uint32 nrows)
{
	return lookup->source.one_is_enough &&
		(nrows == 1 || lookup->group.matches.largest > most_of_key(lookup));
}

/*
 * Looks up the next rows of the batch.  If they have too many matches, or too
 * wide ones, cuts keys with many matches, or halves the number of rows, down
 * to one.  If the index tuples of one row are too large, its rows are fetched
 * from the table instead.
 */
static void
open_group(SsdparLookup *lookup)
{
	SsdparOuterRows *rows = &lookup->rows;
	uint32		row = lookup->row;
	uint32		nrows = group_rows(lookup);
	SsdparIndexOnly *only = lookup->source.only;
	const SsdparMatches *matches = &lookup->group.matches;
	bool		cut = lookup->source.one_is_enough && nrows == 1;

	while (!ssdpar_partners_find(&lookup->group, rows, row, row + nrows, only,
								 cut ? most_of_key(lookup) : 0, FIRST_MATCHES,
								 *lookup->counters))
	{
		if (!cut && would_cut(lookup, nrows))
			cut = true;
		else if (nrows > 1)
			nrows /= 2;
		else
			only = NULL;
	}
	lookup->alone_key = SSDPAR_NO_KEY;
	lookup->group_end = lookup->row + nrows;
	lookup->row_matches = (double) matches->count / nrows;
	(*lookup->counters)->keys += matches->nrows;
	(*lookup->counters)->distinct += matches->nkeys;
	(*lookup->counters)->cut += matches->ncut;
}

/* Looks up more matches of the current row, starting from the first.  */
static void
look_up_more(SsdparLookup *lookup)
{
	SsdparOuterRows *rows = &lookup->rows;
	uint32		row = lookup->row - 1;
	SsdparIndexOnly *only = lookup->source.only;

	lookup->most_alone *= MORE_MATCHES;
	while (!ssdpar_partners_find(&lookup->alone, rows, row, row + 1, only,
								 lookup->most_alone, lookup->most_alone,
								 *lookup->counters))
		only = NULL;
	ssdpar_partners_of_row(&lookup->alone, &rows->rows[row]);
}

/*
 * Handles a row whose key has more matches than were taken, none of which is a
 * partner.  The previous row may have had the same key.
 */
static void
look_up_alone(SsdparLookup *lookup)
{
	uint32		key = lookup->rows.rows[lookup->row - 1].key;

	if (lookup->partners == &lookup->alone)
	{
		look_up_more(lookup);
		return;
	}
	(*lookup->counters)->alone++;
	lookup->partners = &lookup->alone;
	if (key == lookup->alone_key)
	{
		ssdpar_partners_again(&lookup->alone, *lookup->counters);
		return;
	}
	lookup->alone_key = key;
	lookup->alone.portion = FIRST_MATCHES;
	lookup->most_alone = FIRST_MATCHES;
	look_up_more(lookup);
}

MinimalTuple
ssdpar_lookup_next_row(SsdparLookup *lookup)
{
	const SsdparOuterRow *row;

	if (lookup->row == lookup->rows.count && !read_batch(lookup))
		return NULL;
	if (lookup->row == lookup->group_end)
		open_group(lookup);
	row = &lookup->rows.rows[lookup->row++];
	ssdpar_partners_of_row(&lookup->group, row);
	lookup->partners = &lookup->group;
	return row->tuple;
}

bool
ssdpar_lookup_next_partner(SsdparLookup *lookup, SsdparPartner *partner)
{
	while (!ssdpar_partners_next(lookup->partners, partner, *lookup->counters))
	{
		if (!lookup->partners->cut)
			return false;
		look_up_alone(lookup);
	}
	return true;
}

/* The next run may need few rows again. */
void
ssdpar_lookup_rescan(SsdparLookup *lookup)
{
	ssdpar_outer_rows_clear(&lookup->rows);
	clear_partners(lookup);
	lookup->ended = false;
	lookup->rows.wanted = lookup->source.first_batch;
	lookup->row = 0;
	lookup->group_end = 0;
}

void
ssdpar_lookup_end(SsdparLookup *lookup)
{
	ssdpar_partners_end(&lookup->group);
	if (lookup->source.one_is_enough)
		ssdpar_partners_end(&lookup->alone);
}
