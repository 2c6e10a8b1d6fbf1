/*
 * matches.c
 *		Finds the row addresses that the index has for the keys of some outer
 *		rows.
 *
 * Each key is looked up once, in the order of the index, with read-ahead of
 * its leaves (btree/btree_lookup.h).  The result has only addresses;
 * heap_rows.c determines which of them have a row that the snapshot sees.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "pgstat.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "index_join/exec/matches.h"

void
ssdpar_matches_init(SsdparMatches *matches, Relation index, Size memory)
{
	memset(matches, 0, sizeof(SsdparMatches));
	matches->context = AllocSetContextCreate(CurrentMemoryContext,
											 "SsdparIndexJoin matches",
											 ALLOCSET_DEFAULT_SIZES);
	matches->index = index;
	matches->method = ssdpar_page_method(index);
	matches->memory = memory;
}

void
ssdpar_matches_clear(SsdparMatches *matches)
{
	MemoryContextReset(matches->context);
	matches->keys = NULL;
	matches->nkeys = 0;
	matches->matches = NULL;
	matches->count = 0;
	matches->room = 0;
	matches->tuple_bytes = 0;
}

/*
 * Keys in order, each once.
 */

typedef SsdparOuterRow *RowPointer;

static int
compare_rows(const SsdparOuterRow *a, const SsdparOuterRow *b,
			 const SsdparOuterRows *rows)
{
	return ssdpar_lookup_key_compare(rows->key,
									 ssdpar_outer_row_key(rows, a),
									 ssdpar_outer_row_key(rows, b));
}

#define ST_SORT sort_pointers
#define ST_ELEMENT_TYPE RowPointer
#define ST_COMPARE_ARG_TYPE const SsdparOuterRows
#define ST_COMPARE(a, b, rows) compare_rows(*(a), *(b), rows)
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DEFINE
#include "lib/sort_template.h"

static SsdparOuterRow **
sort_rows(SsdparOuterRows *rows, uint32 first, uint32 end, uint32 *count)
{
	SsdparOuterRow **sorted = palloc_array(SsdparOuterRow *, end - first);

	*count = 0;
	for (uint32 i = first; i < end; i++)
	{
		if (rows->rows[i].has_key)
			sorted[(*count)++] = &rows->rows[i];
	}
	sort_pointers(sorted, *count, rows);
	return sorted;
}

/*
 * Gives equal keys of the sorted rows the same number; returns how many keys
 * there are.
 */
static uint32
number_keys(SsdparOuterRows *rows, SsdparOuterRow **sorted, uint32 count)
{
	uint32		nkeys = 0;

	for (uint32 i = 0; i < count; i++)
	{
		if (i == 0 || compare_rows(sorted[i - 1], sorted[i], rows) != 0)
			nkeys++;
		sorted[i]->key = nkeys - 1;
	}
	return nkeys;
}

/*
 * Lookup.
 */

static void
make_room(SsdparMatches *matches, int more)
{
	if (matches->count + more <= matches->room)
		return;
	matches->room = Max(2 * matches->room, matches->count + more);
	matches->matches = repalloc_huge(matches->matches,
									 matches->room * sizeof(SsdparMatch));
}

/* Copies index tuples; rows of one item share a tuple.  */
static void
take_tuples(SsdparMatches *matches, const IndexTuple *tuples, int ntids)
{
	SsdparMatch *taken = &matches->matches[matches->count];

	for (int i = 0; i < ntids; i++)
	{
		if (i > 0 && tuples[i] == tuples[i - 1])
		{
			taken[i].tuple.index = taken[i - 1].tuple.index;
			continue;
		}
		taken[i].tuple.index = MemoryContextAlloc(matches->context,
												  IndexTupleSize(tuples[i]));
		memcpy(taken[i].tuple.index, tuples[i], IndexTupleSize(tuples[i]));
		matches->tuple_bytes += IndexTupleSize(tuples[i]);
	}
}

/*
 * Frees the tuples of the matches from first on; adjacent matches may share
 * one.
 */
static void
drop_tuples(SsdparMatches *matches, uint64 first)
{
	if (!ssdpar_matches_have_tuples(matches))
		return;
	for (uint64 i = first; i < matches->count; i++)
	{
		IndexTuple	tuple = matches->matches[i].tuple.index;

		if (i > 0 && tuple == matches->matches[i - 1].tuple.index)
			continue;
		matches->tuple_bytes -= IndexTupleSize(tuple);
		pfree(tuple);
	}
}

/*
 * Cuts a key that would have too many matches with ntids more: keeps the first
 * matches of the key, which are the last of all, and returns how many more to
 * take.
 */
static int
cut_key(SsdparMatches *matches, SsdparMatchedKey *key, int ntids)
{
	uint64		taken = key->end - key->first;
	uint64		left = matches->limits.of_cut_key;

	key->cut = true;
	matches->ncut++;
	if (taken < left)
		return (int) Min(left - taken, (uint64) ntids);
	key->end = key->first + left;
	drop_tuples(matches, key->end);
	matches->count = key->end;
	return 0;
}

/*
 * SsdparIndexTaker callback.  The index is read key by key, so the rows of a
 * key come in sequence, possibly in several calls.
 */
static SsdparIndexWish
take(void *arg, uint64 number, const ItemPointerData *tids,
	 const IndexTuple *tuples, int ntids)
{
	SsdparMatches *matches = arg;
	SsdparMatchedKey *key = &matches->keys[number];
	const SsdparMatchLimits *limits = &matches->limits;

	matches->largest = Max(matches->largest, key->end - key->first + ntids);
	if (limits->of_key > 0 && key->end - key->first + ntids > limits->of_key)
		ntids = cut_key(matches, key, ntids);
	if (limits->all > 0 && (matches->count + ntids > limits->all ||
							matches->tuple_bytes > matches->memory))
	{
		matches->too_many = true;
		return SSDPAR_INDEX_ENOUGH;
	}
	make_room(matches, ntids);
	if (key->end == 0)
		key->first = matches->count;
	Assert(key->end == 0 || key->end == matches->count);
	for (int i = 0; i < ntids; i++)
		matches->matches[matches->count + i] = (SsdparMatch)
	{
		.tid = tids[i],
			.all_visible = matches->only != NULL &&
				ssdpar_index_only_all_visible(matches->only, &tids[i]),
	};
	if (tuples != NULL)
		take_tuples(matches, tuples, ntids);
	matches->count += ntids;
	key->end = matches->count;
	return key->cut ? SSDPAR_INDEX_NEXT_KEY : SSDPAR_INDEX_MORE;
}

/* Returns one column of all keys in the form that the index reader needs.  */
static SsdparIndexKeyColumn
key_column(const SsdparOuterRows *rows, SsdparOuterRow **sorted,
		   uint32 count, uint32 nkeys, int part)
{
	bool		integer = rows->key->parts[part].integer != SSDPAR_NOT_INTEGER;
	int64	   *integers = integer ? palloc_array(int64, nkeys) : NULL;
	Datum	   *values = integer ? NULL : palloc_array(Datum, nkeys);

	for (uint32 i = 0; i < count; i++)
	{
		const SsdparKeyValue *value =
			&ssdpar_outer_row_key(rows, sorted[i])[part];

		if (integer)
			integers[sorted[i]->key] = value->integer;
		else
			values[sorted[i]->key] = value->datum;
	}
	return (SsdparIndexKeyColumn) {integers, values};
}

static void
look_up(SsdparMatches *matches, const SsdparOuterRows *rows,
		SsdparOuterRow **sorted, uint32 count, uint32 nkeys,
		SsdparJoinCounters *counters)
{
	SsdparIndexKeyColumn columns[SSDPAR_MAX_KEY_COLUMNS];
	SsdparIndexSearch search = {
		.index = matches->index,
		.columns = columns,
		.ncolumns = rows->key->nparts,
		.nkeys = nkeys,
		.wants_tuples = ssdpar_matches_have_tuples(matches),
		.method = matches->method,
	};

	for (int i = 0; i < rows->key->nparts; i++)
		columns[i] = key_column(rows, sorted, count, nkeys, i);
	ssdpar_index_rows_of_columns(&search, take, matches, &counters->index);
	if (matches->only != NULL)
		ssdpar_index_only_release(matches->only);
}

bool
ssdpar_matches_find(SsdparMatches *matches, SsdparOuterRows *rows,
					uint32 first, uint32 end,
					const SsdparMatchLimits *limits,
					SsdparJoinCounters *counters)
{
	MemoryContext before;
	SsdparOuterRow **sorted;
	uint32		count;
	uint32		nkeys;

	ssdpar_matches_clear(matches);
	before = MemoryContextSwitchTo(matches->context);
	matches->too_many = false;
	matches->limits = *limits;
	matches->ncut = 0;
	matches->largest = 0;
	sorted = sort_rows(rows, first, end, &count);
	nkeys = number_keys(rows, sorted, count);
	matches->nkeys = nkeys;
	matches->nrows = count;
	matches->keys = palloc0(sizeof(SsdparMatchedKey) * Max(nkeys, 1));
	matches->room = Max(nkeys, 16);
	matches->matches = palloc_array(SsdparMatch, matches->room);
	if (nkeys > 0)
	{
		pgstat_count_index_scan(matches->index);
		look_up(matches, rows, sorted, count, nkeys, counters);
	}
	MemoryContextSwitchTo(before);
	return !matches->too_many;
}

/*
 * If the index was split while it was read, it may have returned a row twice.
 */

#define ST_SORT sort_by_address
#define ST_ELEMENT_TYPE SsdparMatch
#define ST_COMPARE(a, b) \
	ItemPointerCompare((ItemPointer) &(a)->tid, (ItemPointer) &(b)->tid)
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DEFINE
#include "lib/sort_template.h"

void
ssdpar_matches_sort(SsdparMatches *matches)
{
	uint64		kept = 0;

	Assert(matches->nkeys == 1);
	sort_by_address(matches->matches, matches->count);
	for (uint64 i = 0; i < matches->count; i++)
	{
		if (kept > 0 && ItemPointerEquals(&matches->matches[kept - 1].tid,
										  &matches->matches[i].tid))
			continue;
		matches->matches[kept++] = matches->matches[i];
	}
	matches->count = kept;
	matches->keys[0].end = kept;
}

/* Orders numbers of matches by address, then by order of arrival.  */
static int
compare_numbers(const uint64 *a, const uint64 *b, const SsdparMatch *matches)
{
	int			order = ItemPointerCompare((ItemPointer) &matches[*a].tid,
										   (ItemPointer) &matches[*b].tid);

	return order != 0 ? order : (*a > *b) - (*a < *b);
}

#define ST_SORT sort_numbers
#define ST_ELEMENT_TYPE uint64
#define ST_COMPARE_ARG_TYPE const SsdparMatch
#define ST_COMPARE(a, b, matches) compare_numbers(a, b, matches)
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DEFINE
#include "lib/sort_template.h"

void
ssdpar_matches_drop_repeated(SsdparMatches *matches)
{
	uint64	   *numbers = MemoryContextAllocHuge(matches->context,
												 matches->count *
												 sizeof(uint64));
	uint64		kept = 0;

	Assert(matches->nkeys == 1);
	for (uint64 i = 0; i < matches->count; i++)
		numbers[i] = i;
	sort_numbers(numbers, matches->count, matches->matches);
	for (uint64 i = matches->count; i-- > 1;)
	{
		SsdparMatch *match = &matches->matches[numbers[i]];

		if (ItemPointerEquals(&match->tid,
							  &matches->matches[numbers[i - 1]].tid))
			ItemPointerSetInvalid(&match->tid);
	}
	for (uint64 i = 0; i < matches->count; i++)
		if (ItemPointerIsValid(&matches->matches[i].tid))
			matches->matches[kept++] = matches->matches[i];
	matches->count = kept;
	matches->keys[0].end = kept;
	pfree(numbers);
}

/*
 * A linear search suffices, because two matches rarely have the same address.
 */
bool
ssdpar_matches_are_of_one_key(const SsdparMatches *matches, uint64 a,
							  uint64 b)
{
	for (uint32 i = 0; i < matches->nkeys; i++)
	{
		const SsdparMatchedKey *key = &matches->keys[i];

		if (a >= key->first && a < key->end)
			return b >= key->first && b < key->end;
	}
	return false;
}
