/*
 * having_rows.c
 *		The rows of groups that HAVING leaves, where their number was measured.
 *
 * Core takes it that a condition on an aggregate leaves a third of the groups.
 * It mostly leaves few: large orders, customers with many orders.  Ten times as
 * many groups are no reason to expect ten times as many rows above them, for
 * which all tables would be read and hashed rather than looked up.  So the cost
 * of grouping follows the groups that were measured, and what HAVING leaves, of
 * which nothing was, stays what core assumes without.
 */
#include "postgres.h"

#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "utils/selfuncs.h"

#include "base/grouping.h"
#include "join_search/having_rows.h"
#include "join_search/passes.h"

/* What core assumes of groups, by what it knows: a share; 1: no more. */
static double
assumed_share(PlannerInfo *root, const RelOptInfo *input)
{
	List	   *columns = get_sortgrouplist_exprs(root->parse->groupClause,
												  root->processed_tlist);
	double		rows = input->cheapest_total_path->rows;
	double		groups = estimate_num_groups(root, columns, rows, NULL, NULL);
	double		assumed = ssdpar_groups_assumed(root, columns, rows);

	return Min(assumed / groups, 1.0);
}

static void
reduce_rows(Path *path, double share)
{
	bool		filtered = IsA(path, AggPath) ?
		((AggPath *) path)->qual != NIL :
		IsA(path, GroupPath) && ((GroupPath *) path)->qual != NIL;

	if (filtered)
		path->rows = clamp_row_est(path->rows * share);
}

void
ssdpar_put_having_rows(PlannerInfo *root, RelOptInfo *input,
					   RelOptInfo *grouped)
{
	double		share;
	ListCell   *lc;

	if (!ssdpar_is_second_pass() || root->parse->havingQual == NULL ||
		root->parse->groupClause == NIL || root->parse->groupingSets != NIL)
		return;
	Assert(grouped->cheapest_total_path == NULL);
	share = assumed_share(root, input);
	if (share >= 1.0)
		return;
	foreach(lc, grouped->pathlist)
		reduce_rows(lfirst(lc), share);
}
