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

/* What core leaves of the first column's correlation (btcostestimate()). */
#define CORES_SHARE 0.75

/* Pages that are in memory when the scan comes back to them. */
#define CLOSE_PAGES 32.0

/* Pages of the table that rows with one value of a column lie on. */
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
 * Core knows the correlation of the first column, and takes a quarter off if
 * there are more, since rows with one value of it may lie in any order.  Where
 * they lie on a few pages that order does not matter.
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
