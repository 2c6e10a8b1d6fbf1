/*
 * btree_scan.c
 *		How well the rows of a table are in the order of a btree.
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
