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
#include "btree/btree_keys.h"
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

/*
 * Row addresses at which a batch is broken off, and a share that is enough.  It
 * is broken off as well at a leaf without rows, once leaves alone have taken
 * more than may be spent in all: of a queue's index most may be of dead rows.
 */
#define MOST_TIDS 200000
#define ENOUGH_TIDS 0.3

typedef struct Lookup
{
	SsdparSampler *sampler;
	SsdparIndexSample *sample;
	Relation	index;
	int			ncolumns;		/* the index's first ones */
	const SsdparSampleKey *keys[SSDPAR_MAX_KEY_COLUMNS];
	SsdparKeyOrder orders[SSDPAR_MAX_KEY_COLUMNS];
	SsdparKeyStrata strata;
	double		page_seconds;	/* predicted, of a leaf */
	int		   *batch;			/* keys that are being looked up, ascending */
	SsdparIndexCounts counts;	/* of that batch */
	bool		broken_off;		/* it */
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

/* Can column c hold the key as the operator would compare it? */
static bool
holds_key(const SsdparSampleTable *table, const SsdparSampleKey *key,
		  const IndexOptInfo *index, int c)
{
	Oid			type = index->opcintype[c];

	return index->indexkeys[c] == table->columns[key->inner_column] &&
		(key->outer_type == type || are_integers(key->outer_type, type)) &&
		ssdpar_index_order_is_known(index->opfamily[c], type) &&
		get_op_opfamily_strategy(key->operator, index->opfamily[c]) ==
		BTEqualStrategyNumber &&
		(!OidIsValid(index->indexcollations[c]) ||
		 index->indexcollations[c] == key->collation) &&
		ssdpar_support_is_error_free(get_opfamily_proc(index->opfamily[c],
													   type, type,
													   BTORDER_PROC));
}

static const SsdparSampleKey *
key_of_column(const SsdparSampleJoin *join, const IndexOptInfo *index, int c)
{
	ListCell   *lc;

	foreach(lc, join->keys)
		if (holds_key(join->table, lfirst(lc), index, c))
			return lfirst(lc);
	return NULL;
}

/*
 * Its first columns that the join has keys for.  Several are looked up in their
 * order, all ascending.
 */
static int
columns_held(const SsdparSampleJoin *join, const IndexOptInfo *index,
			 const SsdparSampleKey **keys)
{
	int			n = 0;

	if (index->relam != BTREE_AM_OID || index->hypothetical ||
		index->indpred != NIL)
		return 0;
	while (n < Min(index->nkeycolumns, SSDPAR_MAX_KEY_COLUMNS) &&
		   (n == 0 || !(index->reverse_sort[0] || index->reverse_sort[n])) &&
		   (keys[n] = key_of_column(join, index, n)) != NULL)
		n++;
	return n;
}

/* That with the most columns, the smallest of these; NULL: there is none. */
static IndexOptInfo *
find_index(const SsdparSampleJoin *join, const SsdparSampleKey **keys,
		   int *ncolumns)
{
	IndexOptInfo *best = NULL;
	ListCell   *lc;

	*ncolumns = 0;
	foreach(lc, join->table->rel->indexlist)
	{
		IndexOptInfo *info = lfirst(lc);
		const SsdparSampleKey *held[SSDPAR_MAX_KEY_COLUMNS];
		int			n = columns_held(join, info, held);

		if (n < *ncolumns || n == 0 ||
			(n == *ncolumns && best->pages <= info->pages))
			continue;
		best = info;
		*ncolumns = n;
		memcpy(keys, held, n * sizeof(held[0]));
	}
	return best;
}

bool
ssdpar_has_sample_index(const SsdparSampleJoin *join)
{
	const SsdparSampleKey *keys[SSDPAR_MAX_KEY_COLUMNS];
	int			ncolumns;

	return find_index(join, keys, &ncolumns) != NULL;
}

/* The planner holds its lock. */
static Relation
open_index(Lookup *lookup, const SsdparSampleJoin *join)
{
	IndexOptInfo *found = find_index(join, lookup->keys, &lookup->ncolumns);
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
	SsdparKeyValue *values;
	int			row;			/* in the sample */
} RowKey;

static int
compare_keys(const void *a, const void *b, void *arg)
{
	const Lookup *lookup = arg;
	const RowKey *one = a;
	const RowKey *other = b;
	int			order = 0;

	for (int c = 0; c < lookup->ncolumns && order == 0; c++)
		order = ssdpar_compare_key_values(&lookup->orders[c], &one->values[c],
										  &other->values[c]);
	return order;
}

/* False: a column is NULL. */
static bool
take_key(const Lookup *lookup, SsdparSampleRow *const *members,
		 SsdparKeyValue *values)
{
	for (int c = 0; c < lookup->ncolumns; c++)
		if (!ssdpar_key_of_row(&lookup->orders[c], lookup->keys[c], members,
							   &values[c]))
			return false;
	return true;
}

/* Of the rows whose key is not NULL. */
static int
sort_keys(Lookup *lookup, RowKey *keys)
{
	const SsdparIndexSample *sample = lookup->sample;
	SsdparKeyValue *values = palloc_array(SsdparKeyValue,
										  Max(sample->nrows, 1) *
										  lookup->ncolumns);
	int			count = 0;

	for (int i = 0; i < sample->nrows; i++)
	{
		RowKey	   *key = &keys[count];

		key->values = &values[count * lookup->ncolumns];
		key->row = i;
		count += take_key(lookup, sample->set->members[sample->rows[i]],
						  key->values);
	}
	qsort_arg(keys, count, sizeof(RowKey), compare_keys, lookup);
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
		if (i == 0 || compare_keys(&keys[i - 1], &keys[i], lookup) != 0)
		{
			SsdparIndexSampleKey *key = &sample->all[sample->nkeys++];

			key->values = keys[i].values;
			key->common = ssdpar_find_common_value(&lookup->strata.common,
												   key->values) != NULL;
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

static SsdparIndexWish
take(void *arg, uint64 number, const ItemPointerData *tids,
	 const IndexTuple *tuples, int ntids)
{
	Lookup	   *lookup = arg;
	SsdparSampleBudget *budget = &lookup->sampler->budget;
	SsdparIndexSampleKey *key =
		&lookup->sample->all[lookup->batch[number]];

	for (int i = 0; i < ntids; i++)
	{
		keep_tid(lookup, key, &tids[i]);
		key->rows++;
	}
	lookup->taken += ntids;
	lookup->broken_off = lookup->taken >= lookup->most ||
		(ntids == 0 && lookup->counts.leaves * lookup->page_seconds >
		 budget->most_work) ||
		ssdpar_sample_is_late(budget);
	return lookup->broken_off ? SSDPAR_INDEX_ENOUGH : SSDPAR_INDEX_MORE;
}

static int
compare_numbers(const void *a, const void *b)
{
	return *(const int *) a - *(const int *) b;
}

/* One column of these keys, as the index's reader wants it. */
static SsdparIndexKeyColumn
key_column(const Lookup *lookup, const int *numbers, int count, int c)
{
	bool		integer = lookup->orders[c].type != SSDPAR_NOT_INTEGER;
	int64	   *integers = integer ? palloc_array(int64, count) : NULL;
	Datum	   *values = integer ? NULL : palloc_array(Datum, count);

	for (int i = 0; i < count; i++)
	{
		const SsdparKeyValue *value =
			&lookup->sample->all[numbers[i]].values[c];

		if (integer)
			integers[i] = value->integer;
		else
			values[i] = value->value;
	}
	return (SsdparIndexKeyColumn) {integers, values};
}

static void
read_index(Lookup *lookup, const int *numbers, int count)
{
	SsdparIndexKeyColumn columns[SSDPAR_MAX_KEY_COLUMNS];
	SsdparPageMethod method = ssdpar_page_method(lookup->index);
	SsdparIndexSearch search = {
		.index = lookup->index,
		.columns = columns,
		.ncolumns = lookup->ncolumns,
		.nkeys = count,
		.method = method,
	};
	SsdparIndexCounts *counts = &lookup->counts;

	for (int c = 0; c < lookup->ncolumns; c++)
		columns[c] = key_column(lookup, numbers, count, c);
	if (lookup->ncolumns > 1)
		ssdpar_index_rows_of_columns(&search, take, lookup, counts);
	else if (columns[0].integers != NULL)
		ssdpar_index_rows_of_integers(lookup->index, columns[0].integers,
									  count, method, 0, take, lookup, counts);
	else
		ssdpar_index_rows_of_datums(lookup->index,
									unconstify(Datum *, columns[0].values),
									count, method, 0, take, lookup, counts);
}

/* False if it was broken off. */
static bool
look_up(Lookup *lookup, int *numbers, int count)
{
	SsdparIndexSampleKey *all = lookup->sample->all;
	const SsdparIndexCounts *counts = &lookup->counts;

	qsort(numbers, count, sizeof(int), compare_numbers);
	lookup->batch = numbers;
	lookup->counts = (SsdparIndexCounts) {0};
	lookup->broken_off = false;
	read_index(lookup, numbers, count);
	lookup->sampler->pages += counts->leaves;
	ssdpar_sample_worked(&lookup->sampler->budget,
						 counts->leaves * lookup->page_seconds +
						 ssdpar_work_cpu_seconds(count * SSDPAR_WORK_KEY +
												 counts->rows *
												 cpu_index_tuple_cost));
	if (lookup->broken_off ||
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
prepare_orders(Lookup *lookup)
{
	for (int c = 0; c < lookup->ncolumns; c++)
	{
		SsdparKeyOrder *order = &lookup->orders[c];

		order->type = ssdpar_integer_type(lookup->index->rd_opcintype[c]);
		order->compare = index_getprocinfo(lookup->index, c + 1, BTORDER_PROC);
		order->collation = lookup->index->rd_indcollation[c];
	}
}

SsdparIndexSample *
ssdpar_index_sample(SsdparSampler *sampler, const SsdparSampleJoined *set,
					const SsdparSampleJoin *join, int most_rows,
					SsdparSampleJoiner by_index)
{
	Lookup		lookup = {.sampler = sampler};

	lookup.index = open_index(&lookup, join);
	if (lookup.index == NULL)
		return NULL;
	prepare_orders(&lookup);
	lookup.page_seconds = ssdpar_work_page_seconds(lookup.index);
	lookup.most = Min(ssdpar_sample_work_left(&sampler->budget) /
					  ssdpar_work_cpu_seconds(cpu_index_tuple_cost), MOST_TIDS);
	lookup.sample = palloc0_object(SsdparIndexSample);
	lookup.sample->ncolumns = lookup.ncolumns;
	lookup.sample->key = lookup.keys[0];
	lookup.sample->set = set;
	lookup.strata.order = &lookup.orders[0];
	lookup.strata.most_rows = most_rows;
	lookup.strata.most_pairs = ENOUGH_TIDS * lookup.most;
	lookup.strata.by_index = by_index;

	/* what is common in one column need not be with the others */
	if (by_index != NULL && lookup.ncolumns == 1 && set->nrows > FIRST_BATCH)
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
