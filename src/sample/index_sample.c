/*
 * index_sample.c
 *		How many rows an index has for the keys of joined rows, and some of
 *		them.
 *
 * Keys are looked up in batches chosen at random, the first of which is small:
 * it says how many rows a key has, and how many keys can be afforded.  A batch
 * that is broken off is not used, since it has seen the lowest keys first; the
 * inner pages of the index that a batch needs are read without a look at the
 * clock, so batches are small.
 */
#include "postgres.h"

#include "access/genam.h"
#include "access/nbtree.h"
#include "catalog/pg_am_d.h"
#include "catalog/pg_type.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "btree/btree_lookup.h"
#include "btree/btree_meta.h"
#include "keys/key_code.h"
#include "prefetch/page_list.h"
#include "sample/index_sample.h"
#include "sample/work_price.h"
#include "star/error_free.h"

#define FIRST_BATCH 16
#define BATCH 64

/* Row addresses at which a batch is broken off, and a share that is enough. */
#define MOST_TIDS 200000
#define ENOUGH_TIDS 0.3

typedef struct Lookup
{
	SsdparSampler *sampler;
	SsdparIndexSample *sample;
	Relation	index;
	const SsdparSampleKey *key;
	bool		integers;
	FmgrInfo   *order;
	double		page_seconds;	/* predicted, of a leaf */
	int		   *batch;			/* keys that are being looked up, ascending */
	uint64		taken;			/* row addresses, in all */
	uint64		most;			/* of these: then the batch is broken off */
} Lookup;

/*
 * Which index.
 */

static bool
are_integers(Oid one, Oid other)
{
	return (one == INT2OID || one == INT4OID || one == INT8OID) &&
		(other == INT2OID || other == INT4OID || other == INT8OID);
}

/* Can the key be looked up in it as the operator would compare it? */
static bool
is_suitable(const SsdparSampleTable *table, const SsdparSampleKey *key,
			const IndexOptInfo *index)
{
	Oid			type = index->opcintype[0];

	return index->relam == BTREE_AM_OID && !index->hypothetical &&
		index->indpred == NIL &&
		index->indexkeys[0] == table->columns[key->inner_column] &&
		(key->outer_type == type || are_integers(key->outer_type, type)) &&
		get_op_opfamily_strategy(key->operator, index->opfamily[0]) ==
		BTEqualStrategyNumber &&
		(!OidIsValid(index->indexcollations[0]) ||
		 index->indexcollations[0] == key->collation) &&
		ssdpar_support_is_error_free(get_opfamily_proc(index->opfamily[0],
													   type, type,
													   BTORDER_PROC));
}

/* The smallest one; NULL: there is none. */
static IndexOptInfo *
find_index(const SsdparSampleJoin *join, const SsdparSampleKey **key)
{
	IndexOptInfo *best = NULL;
	ListCell   *lk;
	ListCell   *li;

	foreach(lk, join->keys)
	{
		foreach(li, join->table->rel->indexlist)
		{
			IndexOptInfo *info = lfirst(li);

			if ((best != NULL && best->pages <= info->pages) ||
				!is_suitable(join->table, lfirst(lk), info))
				continue;
			best = info;
			*key = lfirst(lk);
		}
	}
	return best;
}

bool
ssdpar_has_sample_index(const SsdparSampleJoin *join)
{
	const SsdparSampleKey *key;

	return find_index(join, &key) != NULL;
}

/* The planner holds its lock. */
static Relation
open_index(const SsdparSampleJoin *join, const SsdparSampleKey **key)
{
	IndexOptInfo *found = find_index(join, key);
	Relation	index;

	if (found == NULL)
		return NULL;
	index = index_open(found->indexoid, NoLock);
	if (ssdpar_index_readable(index))
		return index;
	index_close(index, NoLock);
	return NULL;
}

/*
 * The keys of a set, sorted.
 */

typedef struct RowKey
{
	Datum		value;
	int64		integer;
	int			row;			/* in the sample */
} RowKey;

static int
compare_keys(const void *a, const void *b, void *arg)
{
	const Lookup *lookup = arg;
	const RowKey *one = a;
	const RowKey *other = b;

	if (lookup->integers)
		return (one->integer > other->integer) -
			(one->integer < other->integer);
	return DatumGetInt32(FunctionCall2Coll(lookup->order,
										   lookup->index->rd_indcollation[0],
										   one->value, other->value));
}

/* Which rows: each of the set's has the same chance, their order is kept. */
static void
choose_rows(Lookup *lookup, const SsdparSampleJoined *set, int most)
{
	SsdparIndexSample *sample = lookup->sample;
	int			wanted = Min(set->nrows, most);

	sample->rows = palloc_array(int, Max(wanted, 1));
	sample->keys = palloc0(sizeof(*sample->keys) * Max(wanted, 1));
	for (int i = 0; i < set->nrows && sample->nrows < wanted; i++)
	{
		double		chance = (double) (wanted - sample->nrows) /
			(set->nrows - i);

		if (pg_prng_double(&lookup->sampler->random) < chance)
			sample->rows[sample->nrows++] = i;
	}
}

/* Of the rows whose key is not NULL. */
static int
sort_keys(Lookup *lookup, const SsdparSampleJoined *set, RowKey *keys)
{
	const SsdparSampleKey *key = lookup->key;
	int			count = 0;

	for (int i = 0; i < lookup->sample->nrows; i++)
	{
		SsdparSampleRow *row =
			set->members[lookup->sample->rows[i]][key->outer];

		if (row == NULL || row->nulls[key->outer_column])
			continue;
		keys[count].value = row->values[key->outer_column];
		if (lookup->integers)
			keys[count].integer =
				ssdpar_integer_value(ssdpar_integer_type(key->outer_type),
									 keys[count].value);
		keys[count++].row = i;
	}
	qsort_arg(keys, count, sizeof(RowKey), compare_keys, lookup);
	return count;
}

static void
collect_keys(Lookup *lookup, const SsdparSampleJoined *set)
{
	SsdparIndexSample *sample = lookup->sample;
	int			room = Max(sample->nrows, 1);
	RowKey	   *keys = palloc_array(RowKey, room);
	int			count = sort_keys(lookup, set, keys);

	sample->all = palloc0(sizeof(SsdparIndexSampleKey) * room);
	for (int i = 0; i < count; i++)
	{
		if (i == 0 || compare_keys(&keys[i - 1], &keys[i], lookup) != 0)
		{
			sample->all[sample->nkeys].value = keys[i].value;
			sample->all[sample->nkeys].integer = keys[i].integer;
			sample->nkeys++;
		}
		sample->keys[keys[i].row] = &sample->all[sample->nkeys - 1];
	}
	sample->distinct = sample->nkeys == count;
	pfree(keys);
}

/*
 * Looking them up.
 */

/* A reservoir for each key. */
static void
keep_tid(Lookup *lookup, SsdparIndexSampleKey *key, const ItemPointerData *tid)
{
	uint64		place = key->ntids;

	if (key->ntids < SSDPAR_INDEX_SAMPLE_TIDS)
	{
		if (key->tids == NULL)
		{
			key->room = 4;
			key->tids = MemoryContextAlloc(lookup->sampler->context,
										   key->room * sizeof(*tid));
		}
		else if (key->ntids == key->room)
		{
			key->room *= 2;
			key->tids = repalloc(key->tids, key->room * sizeof(*tid));
		}
		key->ntids++;
	}
	else
		place = pg_prng_uint64_range(&lookup->sampler->random, 0,
									 (uint64) key->rows);
	if (place < SSDPAR_INDEX_SAMPLE_TIDS)
		key->tids[place] = *tid;
}

static bool
take(void *arg, uint64 number, const ItemPointerData *tids,
	 const IndexTuple *tuples, int ntids)
{
	Lookup	   *lookup = arg;
	SsdparIndexSampleKey *key =
		&lookup->sample->all[lookup->batch[number]];

	for (int i = 0; i < ntids; i++)
	{
		keep_tid(lookup, key, &tids[i]);
		key->rows++;
	}
	lookup->taken += ntids;
	return lookup->taken < lookup->most &&
		!ssdpar_sample_is_late(&lookup->sampler->budget);
}

static int
compare_numbers(const void *a, const void *b)
{
	return *(const int *) a - *(const int *) b;
}

/* False if it was broken off. */
static bool
look_up(Lookup *lookup, int *numbers, int count)
{
	SsdparIndexSampleKey *all = lookup->sample->all;
	SsdparPageMethod method = ssdpar_page_method(lookup->index);
	SsdparIndexCounts counts = {0};
	int64	   *integers = palloc_array(int64, count);
	Datum	   *values = palloc_array(Datum, count);

	qsort(numbers, count, sizeof(int), compare_numbers);
	lookup->batch = numbers;
	for (int i = 0; i < count; i++)
	{
		integers[i] = all[numbers[i]].integer;
		values[i] = all[numbers[i]].value;
	}
	if (lookup->integers)
		ssdpar_index_rows_of_integers(lookup->index, integers, count, method,
									  0, take, lookup, &counts);
	else
		ssdpar_index_rows_of_datums(lookup->index, values, count, method, 0,
									take, lookup, &counts);
	pfree(integers);
	pfree(values);
	lookup->sampler->pages += counts.leaves;
	ssdpar_sample_worked(&lookup->sampler->budget,
						 counts.leaves * lookup->page_seconds +
						 ssdpar_work_cpu_seconds(count * SSDPAR_WORK_KEY +
												 counts.rows *
												 cpu_index_tuple_cost));
	if (lookup->taken >= lookup->most ||
		ssdpar_sample_is_late(&lookup->sampler->budget))
		return false;
	for (int i = 0; i < count; i++)
		all[numbers[i]].known = true;
	lookup->sampler->keys += count;
	return true;
}

static int *
shuffle_numbers(Lookup *lookup)
{
	int			count = lookup->sample->nkeys;
	int		   *numbers = palloc_array(int, Max(count, 1));

	for (int i = 0; i < count; i++)
	{
		int			other = pg_prng_uint64_range(&lookup->sampler->random, 0,
												 i);

		numbers[i] = numbers[other];
		numbers[other] = i;
	}
	return numbers;
}

/* Of the keys in random order: a few, then as many as the rows allow. */
static void
look_up_all(Lookup *lookup)
{
	int		   *numbers = shuffle_numbers(lookup);
	double		wanted = lookup->sample->nkeys;
	int			done = 0;
	int			batch = Min(wanted, FIRST_BATCH);

	while (batch >= 1 && look_up(lookup, numbers + done, batch))
	{
		done += batch;
		wanted = Min(wanted, ENOUGH_TIDS * lookup->most * done /
					 Max(lookup->taken, 1));
		batch = Min(wanted - done, BATCH);
	}
	pfree(numbers);
}

/*
 * Rows whose key was not looked up are left out, and in the same proportion
 * those whose key is NULL, which match nothing.
 */
static void
drop_unknown(SsdparSampler *sampler, SsdparIndexSample *sample)
{
	double		known = 0;
	int			kept = 0;

	for (int i = 0; i < sample->nkeys; i++)
		known += sample->all[i].known;
	for (int i = 0; i < sample->nrows; i++)
	{
		SsdparIndexSampleKey *key = sample->keys[i];

		if (key != NULL ? !key->known :
			pg_prng_double(&sampler->random) * sample->nkeys > known)
			continue;
		sample->rows[kept] = sample->rows[i];
		sample->keys[kept++] = key;
	}
	sample->nrows = kept;
}

SsdparIndexSample *
ssdpar_index_sample(SsdparSampler *sampler, const SsdparSampleJoined *set,
					const SsdparSampleJoin *join, int most_rows)
{
	Lookup		lookup = {.sampler = sampler};

	lookup.index = open_index(join, &lookup.key);
	if (lookup.index == NULL)
		return NULL;
	lookup.integers = ssdpar_integer_type(lookup.index->rd_opcintype[0]) !=
		SSDPAR_NOT_INTEGER;
	lookup.page_seconds = ssdpar_work_page_seconds(lookup.index);
	lookup.most = Min(ssdpar_sample_work_left(&sampler->budget) /
					  ssdpar_work_cpu_seconds(cpu_index_tuple_cost), MOST_TIDS);
	lookup.order = index_getprocinfo(lookup.index, 1, BTORDER_PROC);
	lookup.sample = palloc0_object(SsdparIndexSample);
	lookup.sample->key = lookup.key;
	choose_rows(&lookup, set, most_rows);
	collect_keys(&lookup, set);
	look_up_all(&lookup);
	drop_unknown(sampler, lookup.sample);
	index_close(lookup.index, NoLock);
	return lookup.sample->nrows == 0 ? NULL : lookup.sample;
}
