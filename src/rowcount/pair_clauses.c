/*
 * pair_clauses.c
 *		Collects the conditions that a join of two base relations checks.
 */
#include "postgres.h"

#include "optimizer/optimizer.h"

#include "base/planner_compat.h"
#include "rowcount/pair_clauses.h"

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

SpecialJoinInfo
ssdpar_inner_join(const RelOptInfo *one, const RelOptInfo *other)
{
	SpecialJoinInfo join = {
		.type = T_SpecialJoinInfo,
		.jointype = JOIN_INNER,
		.min_lefthand = one->relids,
		.min_righthand = other->relids,
		.syn_lefthand = one->relids,
		.syn_righthand = other->relids,
	};

	return join;
}

double
ssdpar_clauses_selectivity(PlannerInfo *root, List *clauses,
						   SpecialJoinInfo *join)
{
	double		product = 1.0;
	ListCell   *lc;

	foreach(lc, clauses)
		product *= clause_selectivity(root, lfirst(lc), 0, join->jointype,
									  join);
	return product;
}
