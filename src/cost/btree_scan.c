/*
 * btree_scan.c
 *		Corrects two of core's estimates for btree scans that are too
 *		pessimistic: the correlation of the table, and the waiting time for
 *		leaves.
 *
 * Together they made scans in the order of a clustered index several times too
 * expensive.
 */
#include "postgres.h"

#include <math.h>

#include "catalog/pg_am.h"
#include "nodes/makefuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

#include "base/compat.h"
#include "cost/btree_scan.h"

/*
 * Factor that core applies to the first column's correlation
 * (btcostestimate()).
 */
#define CORES_SHARE 0.75

/* This many pages are still in memory when the scan returns to them. */
#define CLOSE_PAGES 32.0

/*
 * Pages of the table over which the rows with one value of a column are
 * spread.
 */
static double
pages_of_value(PlannerInfo *root, RelOptInfo *rel, AttrNumber column)
{
	Oid			table = root->simple_rte_array[rel->relid]->relid;
	VariableStatData stats;
	bool		is_default;
	double		values;
	Var		   *var;

	var = makeVar(rel->relid, column, get_atttype(table, column),
				  -1, InvalidOid, 0);
	examine_variable(root, (Node *) var, 0, &stats);
	values = get_variable_numdistinct(&stats, &is_default);
	ReleaseVariableStats(stats);
	return is_default ? rel->pages : rel->pages / Max(values, 1.0);
}

/*
 * If an index has more columns, core reduces the first column's correlation by
 * a quarter, because rows with equal values may be in any order.  That order
 * does not matter if these rows are on a few pages.
 */
double
ssdpar_btree_correlation(PlannerInfo *root, const IndexOptInfo *index,
						 double correlation)
{
	if (index->relam != BTREE_AM_OID || index->nkeycolumns < 2 ||
		index->indexkeys[0] <= 0 || correlation == 0.0 ||
		pages_of_value(root, index->rel, index->indexkeys[0]) > CLOSE_PAGES)
		return correlation;
	correlation /= CORES_SHARE;
	return Max(Min(correlation, 1.0), -1.0);
}

/*
 * The next leaf is read while the scan processes the rows of the current one,
 * by prefetch/index_ahead.c or, if the leaves are in file order, by the
 * kernel.
 */
Cost
ssdpar_btree_leaf_cost(const IndexPath *path,
					   const SsdparIndexEstimate *estimate,
					   Cost leaf_waited, Cost leaf_in_order,
					   Cost in_order, Cost random)
{
	const RelOptInfo *rel = path->indexinfo->rel;
	double		rows = estimate->selectivity * rel->tuples / estimate->pages;
	double		share = estimate->selectivity * rel->pages / estimate->pages;
	double		ordered = estimate->correlation * estimate->correlation;
	Cost		meanwhile = rows * (cpu_tuple_cost + cpu_index_tuple_cost) +
		ordered * Min(share, rows) * in_order +
		(1.0 - ordered) * rows * random;

	return Min(leaf_waited, Max(leaf_waited - meanwhile, leaf_in_order));
}
