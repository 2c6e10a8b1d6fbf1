/*
 * measure_groups.c
 *		Measures the distinct values of what a query level groups by.
 *
 * They make the number of groups, and by it the size of hash tables, whether
 * these fit into memory, and the rows of what is joined with the groups.  One
 * look takes milliseconds, so what it may take goes by the time that the level
 * is predicted to take, however wrong that may be.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"

#include "base/notes.h"
#include "base/without.h"
#include "cost/part_cost.h"
#include "join_search/combined_columns.h"
#include "join_search/corrected_rows.h"
#include "join_search/distinct_columns.h"
#include "join_search/measure_groups.h"
#include "join_search/measure_level.h"
#include "join_search/passes.h"
#include "star/access.h"

/* Columns of a level, the first ones. */
#define MOST_COLUMNS 4

/* So few rows make few groups, whatever is in them. */
#define LEAST_ROWS 1000.0

/* Of so many of the level's own rows as are expected to be fetched. */
static Cost
fetched_cost(const PlannerInfo *root, const Path *path)
{
	double		share = root->tuple_fraction >= 1.0 ?
		root->tuple_fraction / path->rows : root->tuple_fraction;

	if (share <= 0.0)
		return path->total_cost;
	return ssdpar_cost_of_share(path->startup_cost, path->total_cost,
								Min(share, 1.0));
}

static double
predict_seconds(const PlannerInfo *root, const RelOptInfo *final)
{
	Cost		cost = disable_cost;
	ListCell   *lc;

	foreach(lc, final->pathlist)
		cost = Min(cost, fetched_cost(root, lfirst(lc)));
	return cost < disable_cost ? cost * ssdpar_notes()->seconds_per_unit : 0.0;
}

static List *
find_columns(PlannerInfo *root)
{
	List	   *clauses = list_concat_copy(root->parse->groupClause,
										   root->parse->distinctClause);
	List	   *columns = NIL;
	ListCell   *lc;

	foreach(lc, clauses)
	{
		SortGroupClause *clause = lfirst(lc);
		Node	   *expr = get_sortgroupclause_expr(clause,
													root->processed_tlist);

		if (list_length(columns) < MOST_COLUMNS)
			columns = ssdpar_add_distinct_column(root, columns, expr,
												 clause->eqop, LEAST_ROWS);
	}
	return columns;
}

/*
 * There are no more groups than rows.  Where parts of the join have been
 * measured, it may be known better in the second pass how many these are.
 */
static bool
are_few_rows(PlannerInfo *root)
{
	const SsdparKnownRows *known = ssdpar_known_rows(root,
													 root->all_baserels);
	double		rows = ssdpar_assumed_rows(root, root->all_baserels);

	if (rows < 0.0)
		return false;
	if (known != NULL)
		return ssdpar_corrected_rows(known, rows) < LEAST_ROWS;
	return rows < LEAST_ROWS && !ssdpar_passes_matter();
}

void
ssdpar_measure_groups(PlannerInfo *root, RelOptInfo *final)
{
	double		predicted;
	double		budget;

	if (ssdpar_without(SSDPAR_GROUP_ROWS) ||
		(root->parse->groupClause == NIL &&
		 root->parse->distinctClause == NIL))
		return;
	predicted = predict_seconds(root, final);
	budget = ssdpar_measuring_budget(predicted, predicted);
	if (budget <= 0.0 || are_few_rows(root) || !ssdpar_sample_possible(root))
		return;
	budget -= ssdpar_measure_combined(root, LEAST_ROWS, budget / 2.0);
	if (!ssdpar_passes_failed())
		(void) ssdpar_measure_columns(root, find_columns(root), budget);
}
