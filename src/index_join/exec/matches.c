/*
 * matches.c
 *		The row addresses that the index has for the keys of some outer rows.
 *
 * Each key is looked up once, in the order of the index, with its leaves read
 * ahead (btree/btree_lookup.h).  What is found are addresses only; which of
 * them hold a row that the snapshot sees is heap_rows.c's.
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

/* Give equal keys of sorted rows one number; how many there are. */
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
 * Looking them up.
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

/* Rows of one item of the index share a tuple. */
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

/* Of so many more matches of a key. */
static int
wanted_of_key(const SsdparMatches *matches, const SsdparMatchedKey *key,
			  int ntids)
{
	uint64		taken = key->end - key->first;

	if (matches->most_of_key == 0)
		return ntids;
	return (int) Min(matches->most_of_key - taken, (uint64) ntids);
}

/*
 * An SsdparIndexTaker.  The index is read from one key to the next, so those of
 * a key come one after the other, if maybe in several calls.
 */
static SsdparIndexWish
take(void *arg, uint64 number, const ItemPointerData *tids,
	 const IndexTuple *tuples, int ntids)
{
	SsdparMatches *matches = arg;
	SsdparMatchedKey *key = &matches->keys[number];
	int			wanted = wanted_of_key(matches, key, ntids);

	if (ntids == 0)
		return SSDPAR_INDEX_MORE;
	if (wanted < ntids)
	{
		key->cut = true;
		matches->ncut++;
		ntids = wanted;
	}
	if (matches->most > 0 && (matches->count + ntids > matches->most ||
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

/* One column of all keys, as the index reader wants it. */
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
					uint32 first, uint32 end, uint64 most,
					uint64 most_of_key, SsdparJoinCounters *counters)
{
	MemoryContext before;
	SsdparOuterRow **sorted;
	uint32		count;
	uint32		nkeys;

	ssdpar_matches_clear(matches);
	before = MemoryContextSwitchTo(matches->context);
	matches->too_many = false;
	matches->most = most;
	matches->most_of_key = most_of_key;
	matches->ncut = 0;
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
 * The index may have been split while it was read, and have given a row twice.
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

/* That two have one address is so rare that there is no faster way. */
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
