/*
 * column_stats.c
 *		Gives core the distinct values that were measured of a column.
 *
 * Core asks the statistics of a column for them wherever it needs them: groups,
 * selectivities of = and of joins.  So it gets a copy of the statistics with
 * another number.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_statistic.h"
#include "utils/syscache.h"

#include "base/plain_table.h"
#include "join_search/column_stats.h"
#include "join_search/passes.h"
#include "rowcount/known_distinct.h"
#include "sample/access.h"

static bool withheld = false;	/* core asks for its own numbers */

/* The base relation of this entry, NULL if it is none, or not yet made. */
static RelOptInfo *
find_rel(PlannerInfo *root, const RangeTblEntry *rte)
{
	for (int rti = 1; rti < root->simple_rel_array_size; rti++)
	{
		if (root->simple_rte_array[rti] == rte)
			return root->simple_rel_array[rti];
	}
	return NULL;
}

/*
 * A level with row-level security or a security barrier gets no number, which
 * was measured for another one.  For what is left, core's rule for acl_ok comes
 * down to whether the user may read the column.
 */
bool
ssdpar_supply_distinct(PlannerInfo *root, RangeTblEntry *rte,
					   AttrNumber column, VariableStatData *stats)
{
	double		distinct;
	RelOptInfo *rel;
	HeapTuple	tuple;

	if (withheld || !ssdpar_is_second_pass() || rte->rtekind != RTE_RELATION ||
		column <= 0)
		return false;
	distinct = ssdpar_known_distinct(rte->relid, column);
	rel = distinct > 0.0 ? find_rel(root, rte) : NULL;
	if (rel == NULL || rel->reloptkind != RELOPT_BASEREL ||
		!ssdpar_is_plain_table(root, rel) || ssdpar_is_behind_barrier(root))
		return false;
	tuple = SearchSysCacheCopy3(STATRELATTINH, ObjectIdGetDatum(rte->relid),
								Int16GetDatum(column), BoolGetDatum(false));
	if (!HeapTupleIsValid(tuple))
		return false;
	((Form_pg_statistic) GETSTRUCT(tuple))->stadistinct = distinct;
	stats->statsTuple = tuple;
	stats->freefunc = heap_freetuple;
	stats->acl_ok = ssdpar_may_select_column(root, rel, column);
	return true;
}

double
ssdpar_assumed_groups(PlannerInfo *root, List *columns, double rows)
{
	volatile double groups = 0.0;

	withheld = true;
	PG_TRY();
	{
		groups = estimate_num_groups(root, columns, rows, NULL, NULL);
	}
	PG_FINALLY();
	{
		withheld = false;
	}
	PG_END_TRY();
	return groups;
}
