/*
 * go_over_price.c
 *		Computes the number of outer rows from which an index join should
 *		switch to reading its inner table once.
 *
 *		looking up n more rows, after n have been looked up
 *			> reading the whole inner table, hashing its rows
 *			  + probing n rows
 *
 * The executor compares the smallest such n (we try doubled values only) with
 * the number of rows that actually arrive, because only the planner's estimate
 * of that number has turned out wrong; the prices per row are still good.
 *
 * An index returns the matches of a row in index order, a hash table in the
 * order of the table.  Therefore nothing may depend on that order; in
 * particular no condition may raise an error, because which pairs are tested
 * first would decide whether it does.
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
 * Work that core has no cost for, in units of cpu_tuple_cost (see batches.c).
 *
 * HASH_TUPLES	deforming a row of the inner table, coding its key, copying it
 * PROBE_TUPLES	copying an outer row, coding its key, finding the bucket
 * FOUND_TUPLES	combining a matching row with an outer row
 */
#define HASH_TUPLES 5.0
#define PROBE_TUPLES 8.0
#define FOUND_TUPLES 5.0

/* Bytes that a row takes in the hash table in addition to its columns. */
#define HASHED_BYTES 96.0

/* Part of the memory for the hash table; the rest is for outer rows. */
#define HASH_SHARE 0.75

/* We do not look beyond this many outer rows per inner row. */
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

/* Resno of the column in the outer plan, or 0. */
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

/* Can its values be hashed and compared without an error? */
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

/* Returns false if a hash table cannot implement all of the conditions. */
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

/* Each process reads the whole table, all at about the same time. */
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

/* Evaluating the conditions of a pair costs the same either way. */
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
