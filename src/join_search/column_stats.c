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

#include "base/grouping.h"
#include "base/plain_table.h"
#include "join_search/column_stats.h"
#include "join_search/combined_columns.h"
#include "rowcount/known_distinct.h"
#include "star/access.h"

/*
 * The base relation of this entry, NULL if it is none, or not yet made.  It is
 * looked for among all, which may be thousands of partitions: to be asked last.
 */
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
 * While core counts groups, the combinations of several columns are the values
 * of one of them, and the others have one: the product is right, and not cut
 * down to a tenth of the table's rows, as that of larger numbers is.
 */
static double
combined_distinct(PlannerInfo *root, Index relid, Oid table, AttrNumber column)
{
	Bitmapset  *columns = ssdpar_is_counting_groups(root) ?
		ssdpar_combined_columns(root, relid) : NULL;
	AttrNumber	most;
	double		combinations;

	if (!bms_is_member(column, columns))
		return 0.0;
	combinations = ssdpar_known_combinations(table, columns, &most);
	return combinations > 0.0 && column != most ? 1.0 : combinations;
}

static double
known_distinct(PlannerInfo *root, Index relid, Oid table, AttrNumber column)
{
	double		distinct = combined_distinct(root, relid, table, column);

	return distinct > 0.0 ? distinct : ssdpar_known_distinct(table, column);
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

	if (ssdpar_is_counting_assumed() || rte->rtekind != RTE_RELATION ||
		column <= 0)
		return false;
	rel = ssdpar_is_any_distinct_known(rte->relid) ? find_rel(root, rte) :
		NULL;
	distinct = rel == NULL ? 0.0 :
		known_distinct(root, rel->relid, rte->relid, column);
	if (distinct == 0.0 || rel->reloptkind != RELOPT_BASEREL ||
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
