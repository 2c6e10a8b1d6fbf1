/*
 * pair_clauses.c
 *		The conditions that a join of two base relations checks.
 */
#include "postgres.h"

#include "base/planner_compat.h"
#include "join_search/pair_clauses.h"

List *
ssdpar_pair_clauses(PlannerInfo *root, RelOptInfo *one, RelOptInfo *other)
{
	Relids		both = bms_union(one->relids, other->relids);
	List	   *clauses = list_copy(ssdpar_join_equalities(root, one, other));
	ListCell   *lc;

	foreach(lc, one->joininfo)
	{
		RestrictInfo *clause = lfirst(lc);

		if (bms_is_subset(clause->required_relids, both))
			clauses = lappend(clauses, clause);
	}
	return clauses;
}
