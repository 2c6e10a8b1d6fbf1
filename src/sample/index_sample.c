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
#include "sample/key_strata.h"
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
	SsdparKeyOrder order;
	SsdparKeyStrata strata;
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
	SsdparKeyValue value;
	int			row;			/* in the sample */
} RowKey;

static int
compare_keys(const void *a, const void *b, void *order)
{
	return ssdpar_compare_key_values(order, &((const RowKey *) a)->value,
									 &((const RowKey *) b)->value);
}

/* Of the rows whose key is not NULL. */
static int
sort_keys(Lookup *lookup, RowKey *keys)
{
	const SsdparIndexSample *sample = lookup->sample;
	int			count = 0;

	for (int i = 0; i < sample->nrows; i++)
	{
		if (!ssdpar_key_of_row(&lookup->order, lookup->key,
							   sample->set->members[sample->rows[i]],
							   &keys[count].value))
			continue;
		keys[count++].row = i;
	}
	qsort_arg(keys, count, sizeof(RowKey), compare_keys, &lookup->order);
	return count;
}

static void
collect_keys(Lookup *lookup)
{
	SsdparIndexSample *sample = lookup->sample;
	int			room = Max(sample->nrows, 1);
	RowKey	   *keys = palloc_array(RowKey, room);
	int			count = sort_keys(lookup, keys);

	sample->keys = palloc0(sizeof(*sample->keys) * room);
	sample->all = palloc0(sizeof(SsdparIndexSampleKey) * room);
	for (int i = 0; i < count; i++)
	{
		if (i == 0 ||
			compare_keys(&keys[i - 1], &keys[i], &lookup->order) != 0)
		{
			SsdparIndexSampleKey *key = &sample->all[sample->nkeys++];

			key->value = keys[i].value;
			key->common = ssdpar_find_common_value(&lookup->strata.common,
												   &key->value) != NULL;
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
		integers[i] = all[numbers[i]].value.integer;
		values[i] = all[numbers[i]].value.value;
	}
	if (lookup->order.type != SSDPAR_NOT_INTEGER)
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

/* The numbers of one stratum's keys, in random order. */
static int *
shuffle_numbers(Lookup *lookup, bool common, int *count)
{
	const SsdparIndexSample *sample = lookup->sample;
	int		   *numbers = palloc_array(int, Max(sample->nkeys, 1));

	*count = 0;
	for (int i = 0; i < sample->nkeys; i++)
	{
		int			other;

		if (sample->all[i].common != common)
			continue;
		other = pg_prng_uint64_range(&lookup->sampler->random, 0, *count);
		numbers[*count] = numbers[other];
		numbers[other] = i;
		(*count)++;
	}
	return numbers;
}

/*
 * Keys of common values: the statistics have said that they can be afforded.
 * False if one was broken off.
 */
static bool
look_up_common(Lookup *lookup)
{
	int			count;
	int		   *numbers = shuffle_numbers(lookup, true, &count);
	bool		done = true;

	for (int i = 0; i < count && done; i += BATCH)
		done = look_up(lookup, numbers + i, Min(count - i, BATCH));
	pfree(numbers);
	return done;
}

/* Of the keys in random order: a few, then as many as the rows allow. */
static void
look_up_rest(Lookup *lookup)
{
	int			count;
	int		   *numbers = shuffle_numbers(lookup, false, &count);
	uint64		before = lookup->taken;
	double		wanted = count;
	int			done = 0;
	int			batch = Min(wanted, FIRST_BATCH);

	while (batch >= 1 && look_up(lookup, numbers + done, batch))
	{
		done += batch;
		wanted = Min(wanted, ENOUGH_TIDS * lookup->most * done /
					 Max(lookup->taken - before, 1));
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
	double		rest = 0;
	double		known = 0;
	int			kept = 0;

	for (int i = 0; i < sample->nkeys; i++)
	{
		rest += !sample->all[i].common;
		known += !sample->all[i].common && sample->all[i].known;
	}
	for (int i = 0; i < sample->nrows; i++)
	{
		SsdparIndexSampleKey *key = sample->keys[i];

		if (key != NULL ? !key->known :
			pg_prng_double(&sampler->random) * rest > known)
			continue;
		sample->rows[kept] = sample->rows[i];
		sample->keys[kept++] = key;
	}
	sample->nrows = kept;
}

static void
prepare_order(Lookup *lookup)
{
	lookup->order.type = ssdpar_integer_type(lookup->index->rd_opcintype[0]);
	lookup->order.compare = index_getprocinfo(lookup->index, 1, BTORDER_PROC);
	lookup->order.collation = lookup->index->rd_indcollation[0];
}

SsdparIndexSample *
ssdpar_index_sample(SsdparSampler *sampler, const SsdparSampleJoined *set,
					const SsdparSampleJoin *join, int most_rows,
					SsdparSampleJoiner by_index)
{
	Lookup		lookup = {.sampler = sampler};

	lookup.index = open_index(join, &lookup.key);
	if (lookup.index == NULL)
		return NULL;
	prepare_order(&lookup);
	lookup.page_seconds = ssdpar_work_page_seconds(lookup.index);
	lookup.most = Min(ssdpar_sample_work_left(&sampler->budget) /
					  ssdpar_work_cpu_seconds(cpu_index_tuple_cost), MOST_TIDS);
	lookup.sample = palloc0_object(SsdparIndexSample);
	lookup.sample->key = lookup.key;
	lookup.sample->set = set;
	lookup.strata.order = &lookup.order;
	lookup.strata.most_rows = most_rows;
	lookup.strata.most_pairs = ENOUGH_TIDS * lookup.most;
	lookup.strata.by_index = by_index;
	if (by_index != NULL && set->nrows > FIRST_BATCH)
		ssdpar_key_strata_divide(sampler, join, &lookup.strata,
								 lookup.sample);
	ssdpar_key_strata_choose(sampler, &lookup.strata, lookup.sample);
	collect_keys(&lookup);
	if (look_up_common(&lookup))
		look_up_rest(&lookup);
	drop_unknown(sampler, lookup.sample);
	index_close(lookup.index, NoLock);
	return ssdpar_key_strata_weigh(&lookup.strata, lookup.sample) ?
		lookup.sample : NULL;
}
