/*
 * distinct_by_join.c
 *		What looking up a sample of keys says of how many there are.
 *
 * Orders are sampled, and their lines looked up by index: that says how many
 * lines an order has, so also how many orders the lines are of.  It costs
 * nothing, where distinct_values.c has to read for it; but it needs a join with
 * a table of which each row has another key, so that each of the column's
 * values has the same chance to be looked up.  All rows of that table: of the
 * orders of large customers one may have ten times as many lines as of all, and
 * the number is one for the whole statement.  Keys without any row are no
 * values of the column.
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_statistic.h"
#include "nodes/makefuncs.h"
#include "optimizer/optimizer.h"
#include "utils/syscache.h"

#include "base/compat.h"
#include "sample/distinct_by_join.h"
#include "sample/distinct_values.h"

/* Values that a number has to rest on. */
#define LEAST_VALUES 16

/*
 * Rows of the values that were looked up.  The sums are weighted: common values
 * may have been looked up more often than others.
 */
typedef struct Lookups
{
	int			values;
	double		weights;
	double		rows;
	double		squares;
} Lookups;

bool
ssdpar_has_unique_keys(const SsdparSampler *sampler,
					   const SsdparSampleJoined *set,
					   const SsdparIndexSample *sample)
{
	const SsdparSampleTable *table = &sampler->tables[set->target];
	AttrNumber	column;
	ListCell   *lc;

	if (bms_num_members(set->relids) != 1 || !sample->distinct)
		return false;
	if (set->whole && sample->nrows == set->nrows)
		return true;
	column = table->columns[sample->key->outer_column];
	foreach(lc, table->rel->indexlist)
	{
		IndexOptInfo *index = lfirst(lc);

		if (index->unique && index->immediate && index->nkeycolumns == 1 &&
			index->indexkeys[0] == column && index->indpred == NIL)
			return true;
	}
	return false;
}

/*
 * False if one was not looked up: it may be any number of rows, as those of
 * common values are that the sample has by chance.
 */
static bool
count_rows(const SsdparIndexSample *sample, Lookups *lookups)
{
	memset(lookups, 0, sizeof(Lookups));
	if (!sample->certain || sample->uncounted > 0)
		return false;
	for (int i = 0; i < sample->nkeys; i++)
	{
		double		rows = sample->all[i].rows;
		double		weight = sample->all[i].weight;

		if (!sample->all[i].known)
			return false;
		if (rows < 1.0)
			continue;
		lookups->values++;
		lookups->weights += weight;
		lookups->rows += weight * rows;
		lookups->squares += weight * rows * rows;
	}
	return lookups->values >= LEAST_VALUES;
}

/* The one there is of the column, or a new one. */
static SsdparDistinctColumn *
find_column(SsdparSampler *sampler, const SsdparSampleTable *table,
			AttrNumber number)
{
	Form_pg_attribute column =
		TupleDescAttr(RelationGetDescr(table->heap), number - 1);
	SsdparDistinctColumn *found;
	ListCell   *lc;

	foreach(lc, sampler->distinct)
	{
		found = lfirst(lc);
		if (found->rel == table->rel && found->var->varattno == number)
			return found;
	}
	found = palloc0_object(SsdparDistinctColumn);
	found->rel = table->rel;
	found->var = makeVar(table->rel->relid, number, column->atttypid,
						 column->atttypmod, column->attcollation, 0);
	sampler->distinct = lappend(sampler->distinct, found);
	return found;
}

/* Of the table's rows, those that have one of the column's values. */
static double
rows_with_value(const SsdparSampleTable *table, AttrNumber column)
{
	HeapTuple	tuple =
		SearchSysCache3(STATRELATTINH,
						ObjectIdGetDatum(RelationGetRelid(table->heap)),
						Int16GetDatum(column), BoolGetDatum(false));
	double		rows = table->rel->tuples;

	if (!HeapTupleIsValid(tuple))
		return rows;
	rows *= 1.0 - ((Form_pg_statistic) GETSTRUCT(tuple))->stanullfrac;
	ReleaseSysCache(tuple);
	return rows;
}

void
ssdpar_distinct_by_join(SsdparSampler *sampler,
						const SsdparSampleJoined *set,
						const SsdparSampleJoin *join,
						const SsdparIndexSample *sample)
{
	const SsdparSampleTable *table = join->table;
	AttrNumber	number;
	SsdparDistinctColumn *column;
	Lookups		lookups;
	MemoryContext before;
	double		mean;
	double		variance;

	if (sample->ncolumns > 1 ||
		!ssdpar_sample_is_unfiltered(&sampler->tables[set->target]) ||
		!ssdpar_has_unique_keys(sampler, set, sample) ||
		!count_rows(sample, &lookups))
		return;
	number = table->columns[sample->key->inner_column];
	before = MemoryContextSwitchTo(sampler->outer);
	column = find_column(sampler, table, number);
	MemoryContextSwitchTo(before);
	mean = lookups.rows / lookups.weights;
	variance = Max(lookups.squares / lookups.weights - mean * mean, 0.0);
	column->distinct = clamp_row_est(rows_with_value(table, number) / mean);
	column->error = column->distinct *
		sqrt(variance / lookups.values) / mean;
}
