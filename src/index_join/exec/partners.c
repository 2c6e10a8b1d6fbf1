/*
 * partners.c
 *		The partners of some outer rows that are looked up together.
 *
 * The tuples of all their matches are fetched at once.  If one row has more
 * matches than fit, they are fetched in portions, the first ones small,
 * because not all of them may be needed.  So memory is limited, except for the
 * addresses of one row's matches.
 */
#include "postgres.h"

#include "utils/rel.h"

#include "index_join/exec/partners.h"

/* Usual and minimum size of a match with its tuple.  */
#define USUAL_MATCH_BYTES 256.0
#define LEAST_MATCH_BYTES 64.0

/* Maximum number fetched at once; read-ahead is limited (page_list.h).  */
#define MOST_MATCHES (32 * 1024 * 1024)

/*
 * Expected size until some matches have been seen.  The planner assumes the
 * same.
 */
static double
expected_match_bytes(Relation heap, const SsdparIndexOnly *only)
{
	Form_pg_class table = heap->rd_rel;

	if (only != NULL || table->reltuples <= 0)
		return USUAL_MATCH_BYTES;
	return Max((double) table->relpages * BLCKSZ / table->reltuples,
			   USUAL_MATCH_BYTES);
}

void
ssdpar_partners_init(SsdparPartners *partners, Relation heap, Relation index,
					 Snapshot snapshot, const SsdparIndexOnly *only,
					 SsdparPartnerOrder order, Size memory)
{
	memset(partners, 0, sizeof(SsdparPartners));
	partners->order = order;
	partners->memory = memory;
	partners->match_bytes = expected_match_bytes(heap, only);
	ssdpar_matches_init(&partners->matches, index, memory);
	partners->heap_rows = ssdpar_heap_rows_begin(heap, index, snapshot);
	ssdpar_partners_clear(partners);
}

/* Returns the number of matches that fit in memory.  */
static uint64
most_matches(const SsdparPartners *partners)
{
	double		matches = partners->memory / partners->match_bytes;

	return Max(Min(matches, MOST_MATCHES), 1);
}

uint64
ssdpar_partners_usual_matches(const SsdparPartners *partners)
{
	return Max((uint64) (0.8 * most_matches(partners)), 1);
}

/*
 * Fetches the tuples of matches from the end of the last portion on.  Returns
 * false if those of more than one match do not fit.
 */
static bool
fetch_portion(SsdparPartners *partners, uint64 count,
			  SsdparJoinCounters *counters)
{
	uint64		first = partners->portion_end;

	count = Min(count, partners->matches.count - first);
	if (!ssdpar_heap_rows_fetch(partners->heap_rows, &partners->matches, first,
								first + count, partners->memory, counters))
	{
		partners->match_bytes = Max(partners->match_bytes,
									(double) partners->memory / count);
		return false;
	}
	partners->portion_first = first;
	partners->portion_end = first + count;
	/* few matches tell little, because memory is allocated in blocks */
	if (count >= Max(most_matches(partners) / 16, 1))
		partners->match_bytes = sizeof(SsdparMatch) +
			Max((double) (ssdpar_heap_rows_size(partners->heap_rows) +
						  partners->matches.tuple_bytes) / count,
				LEAST_MATCH_BYTES);
	return true;
}

/* Fetches the next portion of one row.  */
static void
fetch_some(SsdparPartners *partners, SsdparJoinCounters *counters)
{
	while (!fetch_portion(partners, partners->portion, counters))
		partners->portion = Max(partners->portion / 2, 1);
}

/* Returns false if the tuples of several rows do not fit.  */
static bool
fetch_rows(SsdparPartners *partners, uint32 nrows,
		   SsdparJoinCounters *counters)
{
	partners->portion_end = 0;
	if (nrows > 1)
		return fetch_portion(partners, partners->matches.count, counters);
	if (partners->matches.count > 1 &&
		partners->order == SSDPAR_PARTNERS_BY_BLOCK)
		ssdpar_matches_sort(&partners->matches);
	else if (partners->matches.count > 1 &&
			 partners->order == SSDPAR_PARTNERS_BY_INDEX)
		ssdpar_matches_drop_repeated(&partners->matches);
	fetch_some(partners, counters);
	return true;
}

bool
ssdpar_partners_find(SsdparPartners *partners, SsdparOuterRows *rows,
					 uint32 first, uint32 end, SsdparIndexOnly *only,
					 uint64 of_key, uint64 of_cut_key,
					 SsdparJoinCounters *counters)
{
	SsdparMatches *matches = &partners->matches;
	SsdparMatchLimits limits = {.of_key = of_key, .of_cut_key = of_cut_key};

	matches->only = only;
	if (end - first > 1 || ssdpar_matches_have_tuples(matches))
		limits.all = most_matches(partners);
	return ssdpar_matches_find(matches, rows, first, end, &limits,
							   counters) &&
		fetch_rows(partners, end - first, counters);
}

void
ssdpar_partners_of_row(SsdparPartners *partners, const SsdparOuterRow *row)
{
	partners->match = 0;
	partners->match_end = 0;
	partners->cut = false;
	if (row->key != SSDPAR_NO_KEY)
	{
		const SsdparMatchedKey *key = &partners->matches.keys[row->key];

		partners->match = key->first;
		partners->match_end = key->end;
		partners->cut = key->cut;
	}
}

void
ssdpar_partners_again(SsdparPartners *partners, SsdparJoinCounters *counters)
{
	const SsdparMatchedKey *key = &partners->matches.keys[0];

	Assert(partners->matches.nkeys == 1);
	partners->match = key->first;
	partners->match_end = key->end;
	partners->cut = key->cut;
	if (partners->portion_first == 0)
		return;
	partners->portion_end = 0;
	partners->portion = ssdpar_partners_usual_matches(partners);
	fetch_some(partners, counters);
}

/* Only a single row has more than one portion.  */
bool
ssdpar_partners_next(SsdparPartners *partners, SsdparPartner *partner,
					 SsdparJoinCounters *counters)
{
	const SsdparMatches *matches = &partners->matches;

	while (partners->match < partners->match_end)
	{
		const SsdparMatch *match;

		if (partners->match == partners->portion_end)
		{
			Assert(matches->nkeys == 1);
			partners->portion = Min(2 * partners->portion,
									ssdpar_partners_usual_matches(partners));
			fetch_some(partners, counters);
		}
		Assert(partners->match < partners->portion_end);
		match = &matches->matches[partners->match++];
		if (!match->found)
			continue;
		partner->heap = matches->only == NULL ? match->tuple.heap : NULL;
		partner->index = matches->only != NULL ? match->tuple.index : NULL;
		return true;
	}
	return false;
}

void
ssdpar_partners_clear(SsdparPartners *partners)
{
	ssdpar_matches_clear(&partners->matches);
	ssdpar_heap_rows_clear(partners->heap_rows);
	partners->match = 0;
	partners->match_end = 0;
	partners->cut = false;
	partners->portion_first = 0;
	partners->portion_end = 0;
	partners->portion = 1;
}

void
ssdpar_partners_end(SsdparPartners *partners)
{
	ssdpar_heap_rows_end(partners->heap_rows);
}
