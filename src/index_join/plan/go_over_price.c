/*
 * go_over_price.c
 *		From how many outer rows on an index join had better read its inner
 *		table once.
 *
 *		looking n more rows up, when n have been looked up
 *			> reading the inner table from end to end, hashing its rows
 *			  + probing n rows
 *
 * The least such n, among those that double, is what the executor compares with
 * the rows that come: the planner's own number of outer rows is what has turned
 * out wrong, while the prices of both ways are as good as any.
 *
 * An index gives a row's partners in its order, the hash in that of the table.
 * So nothing may depend on that order: no condition that can raise an error,
 * which one partner would keep another from being tested by.
 */
#include "postgres.h"

#include "executor/nodeHash.h"
#include "miscadmin.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"

#include "base/compat.h"
#include "base/without.h"
#include "cost/parallel.h"
#include "index_join/plan/go_over_price.h"
#include "keys/key_code.h"
#include "star/error_free.h"

/*
 * What core has no cost for, in units of cpu_tuple_cost (see cost.c).
 *
 * HASH_TUPLES	taking the columns out of a row of the inner table, coding its
 *				key, copying it
 * PROBE_TUPLES	copying an outer row, coding its key, finding the bucket
 * FOUND_TUPLES	putting a row that is found beside an outer row
 */
#define HASH_TUPLES 5.0
#define PROBE_TUPLES 8.0
#define FOUND_TUPLES 5.0

/* Bytes that a row takes in the hash beside its columns. */
#define HASHED_BYTES 96.0

/* The part of the memory that the hash gets: outer rows have the rest. */
#define HASH_SHARE 0.75

/* Outer rows of which there will not be more: as many times the inner ones. */
#define MOST_TIMES 1000.0

/*
 * The key.
 */

static const Var *
as_column(const Node *expr)
{
	if (IsA(expr, RelabelType))
		expr = (const Node *) ((const RelabelType *) expr)->arg;
	return IsA(expr, Var) && ((const Var *) expr)->varattno > 0 ?
		(const Var *) expr : NULL;
}

/* Its number among the outer plan's columns; 0 if it is none. */
static AttrNumber
outer_column(const Plan *outer, const Var *wanted)
{
	ListCell   *lc;

	foreach(lc, outer->targetlist)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, lc);
		const Var  *column = (const Var *) entry->expr;

		if (IsA(column, Var) && column->varno == wanted->varno &&
			column->varattno == wanted->varattno &&
			column->varlevelsup == wanted->varlevelsup)
			return entry->resno;
	}
	return InvalidAttrNumber;
}

static bool
is_support_safe(Oid function)
{
	return !OidIsValid(function) || ssdpar_support_is_error_free(function);
}

/* Can values be hashed and compared by it without an error? */
static bool
is_safe(const OpExpr *comparison)
{
	Oid			inner_function;
	Oid			outer_function;

	if (!ssdpar_key_can_be_coded(comparison->opno, comparison->inputcollid))
		return false;
	ssdpar_key_functions(comparison->opno, &inner_function, &outer_function);
	return is_support_safe(inner_function) &&
		is_support_safe(outer_function) &&
		ssdpar_call_is_error_free(get_opcode(comparison->opno),
								  comparison->args, comparison->inputcollid);
}

/* False if the conditions are not all that a hash can look for. */
static bool
take_key(SsdparJoinKey *key, const SsdparJoinCandidate *candidate,
		 const Plan *outer, List *searched)
{
	ListCell   *lc;

	if (list_length(searched) > SSDPAR_MAX_KEY_COLUMNS)
		return false;
	foreach(lc, searched)
	{
		const OpExpr *comparison = lfirst(lc);
		const Var  *inner;
		const Var  *other;
		int			i = key->ncolumns;

		if (!IsA(comparison, OpExpr) || list_length(comparison->args) != 2)
			return false;
		inner = as_column(linitial(comparison->args));
		other = as_column(lsecond(comparison->args));
		if (inner == NULL || other == NULL ||
			inner->varno != (int) candidate->inner->relid ||
			!is_safe(comparison))
			return false;
		key->target_columns[i] = inner->varattno;
		key->key_columns[i] = outer_column(outer, other);
		key->operators[i] = comparison->opno;
		key->collations[i] = comparison->inputcollid;
		if (key->key_columns[i] == InvalidAttrNumber)
			return false;
		key->ncolumns++;
	}
	return key->ncolumns > 0;
}

/*
 * The price.
 */

static bool
fits(const RelOptInfo *inner)
{
	return inner->tuples * (inner->reltarget->width + HASHED_BYTES) <=
		HASH_SHARE * get_hash_memory_limit();
}

/* Each process reads all of the table, all at about the same time. */
static Cost
read_cost(const SsdparJoinCandidate *candidate, const SsdparJoinPrices *prices,
		  const Path *outer)
{
	const RelOptInfo *inner = candidate->inner;
	const SsdparModel *model = &prices->heap_model;
	double		processes = ssdpar_parallel_divisor(outer->parallel_workers);
	SsdparReads reads = ssdpar_model_seqscan(model, inner->reltablespace,
											 inner->pages, false,
											 prices->heap_resident);
	double		seconds;

	reads.pages *= processes;
	seconds = ssdpar_model_price_one(model, &reads, 0.0, processes).total;
	return ssdpar_model_units(model->machine, seconds) +
		inner->tuples * HASH_TUPLES * cpu_tuple_cost;
}

/* The conditions of a pair cost the same either way. */
static Cost
probe_cost(const SsdparJoinPrices *prices, double rows)
{
	return rows * (PROBE_TUPLES * cpu_tuple_cost + prices->matches *
				   (FOUND_TUPLES * cpu_tuple_cost + prices->filter));
}

static double
least_keys(const SsdparJoinCandidate *candidate,
		   const SsdparJoinPrices *prices, const Path *outer, double expected)
{
	SsdparJoinPrices once = *prices;
	Cost		read = read_cost(candidate, prices, outer);
	double		most = Max(candidate->inner->tuples * MOST_TIMES, expected);
	double		keys = Max(expected / 2, 1.0);
	Cost		before;
	Cost		after;

	once.runs = 1.0;
	before = ssdpar_join_lookup_cost(candidate, &once, outer, keys);
	for (; keys <= most; keys *= 2)
	{
		after = ssdpar_join_lookup_cost(candidate, &once, outer, 2 * keys);
		if (after - before > read + probe_cost(prices, keys))
			return keys;
		before = after;
	}
	return 0.0;
}

SsdparGoOver
ssdpar_go_over_price(const SsdparJoinCandidate *candidate,
					 const SsdparJoinPrices *prices, const Path *outer_path,
					 const Plan *outer, List *searched, bool any_order)
{
	SsdparGoOver go_over = {
		.expected = outer_path->rows * Max(prices->runs, 1.0),
		.pages = Max(candidate->inner->pages, 1),
	};
	SsdparJoinKey key = {0};

	if (ssdpar_without(SSDPAR_INDEX_JOIN_HASH) ||
		!any_order || !fits(candidate->inner) ||
		!take_key(&key, candidate, outer, searched))
		return go_over;
	go_over.keys = least_keys(candidate, prices, outer_path,
							  go_over.expected);
	if (go_over.keys > 0.0)
		go_over.key = key;
	return go_over;
}
