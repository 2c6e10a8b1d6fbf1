/*
 * grouping.c
 *		Finds what a query level groups by, and asks core for numbers of
 *		groups.
 */
#include "postgres.h"

#include "optimizer/optimizer.h"
#include "utils/selfuncs.h"

#include "base/grouping.h"
#include "base/planner_compat.h"

typedef enum Asked
{
	BY_CORE,
	FOR_ALL,
	FOR_ASSUMED,
} Asked;

static Asked asked = BY_CORE;

List *
ssdpar_grouping_clauses(const PlannerInfo *root)
{
	if (root->parse->groupingSets != NIL)
		return NIL;
	return root->parse->groupClause != NIL ? ssdpar_group_clause(root) :
		ssdpar_distinct_clause(root);
}

static double
ask(PlannerInfo *root, List *exprs, double rows, Asked what)
{
	volatile double groups = 0.0;

	asked = what;
	PG_TRY();
	{
		groups = estimate_num_groups(root, exprs, rows, NULL, NULL);
	}
	PG_FINALLY();
	{
		asked = BY_CORE;
	}
	PG_END_TRY();
	return groups;
}

double
ssdpar_groups_by_all(PlannerInfo *root, List *clauses, double rows)
{
	return ask(root, get_sortgrouplist_exprs(clauses, root->processed_tlist),
			   rows, FOR_ALL);
}

double
ssdpar_groups_assumed(PlannerInfo *root, List *exprs, double rows)
{
	return ask(root, exprs, rows, FOR_ASSUMED);
}

bool
ssdpar_is_counting_assumed(void)
{
	return asked == FOR_ASSUMED;
}

/*
 * When core has searched a level's joins, it sets upper_targets, and from then
 * on estimates nothing but groups.
 */
bool
ssdpar_is_counting_groups(const PlannerInfo *root)
{
	if (asked == BY_CORE)
		return root->upper_targets[UPPERREL_GROUP_AGG] != NULL;
	return asked == FOR_ALL;
}
