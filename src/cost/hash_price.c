/*
 * hash_price.c
 *		What a hash join takes longer where no cache holds its table.
 *
 * Core prices a row that is hashed, and one that is looked up, by an operator
 * and a tuple, whatever the size of the table.  In a table that the processor's
 * caches hold that is right.  Beyond, each row waits for memory: for its
 * bucket, and where there is a row in it, for that.  A join of millions of rows
 * takes five times as long by that, and another way to join a fraction of it.
 *
 * A table is no larger than the memory it is allowed; then it is filled in
 * batches, each of which is such a table.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "executor/hashjoin.h"
#include "miscadmin.h"

#include "cost/hash_price.h"
#include "cost/model.h"

/* Memory that the visits of one table go to, in bytes. */
typedef struct HashTable
{
	double		buckets;
	double		rows;
} HashTable;

/* As large as ExecChooseHashTableSize() takes it, in no more than memory. */
static HashTable
hash_table(double rows, int width, double memory)
{
	HashTable	table;
	double		share;

	table.buckets = rows * sizeof(HashJoinTuple);
	table.rows = rows * (HJTUPLE_OVERHEAD + MAXALIGN(SizeofMinimalTupleHeader) +
						 MAXALIGN(width));
	share = Min(memory / Max(table.buckets + table.rows, 1.0), 1.0);
	table.buckets *= share;
	table.rows *= share;
	return table;
}

/* The share of the outer rows that find a row in their bucket. */
static double
found_share(double joined_rows, double outer_rows, JoinType jointype)
{
	double		share = Min(joined_rows / Max(outer_rows, 1.0), 1.0);

	return jointype == JOIN_ANTI ? 1.0 - share : share;
}

static double
fill_seconds(const SsdparMachine *machine, const HashTable *table,
			 double inner_rows)
{
	return inner_rows * ssdpar_model_access_seconds(machine, table->buckets);
}

static double
lookup_seconds(const SsdparMachine *machine, const HashTable *table,
			   double outer_rows, double found)
{
	return outer_rows *
		(ssdpar_model_access_seconds(machine, table->buckets) +
		 found * ssdpar_model_access_seconds(machine, table->rows));
}

SsdparHashCost
ssdpar_hash_cost(const SsdparMachine *machine, const HashPath * path)
{
	const Path *join = &path->jpath.path;
	const Path *outer = path->jpath.outerjoinpath;
	const Path *inner = path->jpath.innerjoinpath;
	double		memory = (double) get_hash_memory_limit();
	double		rows = inner->rows;
	HashTable	table;
	SsdparHashCost cost;

	/* the processes share one table, and the memory of all */
	if (join->parallel_aware)
	{
		rows = path->inner_rows_total;
		memory *= join->parallel_workers + 1;
	}
	table = hash_table(rows, inner->pathtarget->width, memory);
	cost.startup =
		ssdpar_model_units(machine, fill_seconds(machine, &table, inner->rows));
	cost.total = cost.startup +
		ssdpar_model_units(machine,
						   lookup_seconds(machine, &table, outer->rows,
										  found_share(join->rows, outer->rows,
													  path->jpath.jointype)));
	return cost;
}

Cost
ssdpar_expected_hash_cost(const SsdparMachine *machine, double joined_rows,
						  double outer_rows, double inner_rows,
						  int inner_width)
{
	HashTable	table = hash_table(inner_rows, inner_width,
								   (double) get_hash_memory_limit());

	return ssdpar_model_units(machine,
							  fill_seconds(machine, &table, inner_rows) +
							  lookup_seconds(machine, &table, outer_rows,
											 found_share(joined_rows,
														 outer_rows,
														 JOIN_INNER)));
}
