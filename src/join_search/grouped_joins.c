/*
 * grouped_joins.c
 *		Joins by all columns that a subquery is grouped by.
 *
 * A row has one partner there at most.  Core knows it of a single column.  Of
 * several, it takes each for one of 200 values, since it has no statistics of
 * a subquery's columns: so of a million pairs (customer, item) joined with
 * 300,000 others it expects 7.5 million rows, and of a merge join's time most
 * is that of rows which there are not (TPC-DS's Q97).  The fewer rows it
 * expects of the subqueries, the less does that matter: so it is put right when
 * their rows are, in the second pass.
 */
#include "postgres.h"

#include <math.h>

#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "utils/lsyscache.h"

#include "join_search/grouped_joins.h"
#include "rowcount/pair_clauses.h"

/* What no two of its rows have in common; NIL: core knows, or nothing. */
static List *
grouped_by(const Query *query)
{
	List	   *clauses = query->distinctClause != NIL ?
		query->distinctClause : query->groupClause;

	if (query->groupingSets != NIL || query->hasTargetSRFs ||
		query->setOperations != NULL || list_length(clauses) < 2)
		return NIL;
	return clauses;
}

/*
 * The column of rel that the clause compares as the group does: what differs
 * for that differs here; 0: none.
 */
static AttrNumber
compared_column(const RestrictInfo *clause, const RelOptInfo *rel,
				const SortGroupClause * group, Oid collation)
{
	const OpExpr *compare = (const OpExpr *) clause->clause;
	Node	   *side;

	if (clause->mergeopfamilies == NIL ||
		!equality_ops_are_compatible(compare->opno, group->eqop) ||
		compare->inputcollid != collation)
		return 0;
	if (bms_equal(clause->left_relids, rel->relids))
		side = get_leftop(clause->clause);
	else if (bms_equal(clause->right_relids, rel->relids))
		side = get_rightop(clause->clause);
	else
		return 0;
	while (IsA(side, RelabelType))
		side = (Node *) ((RelabelType *) side)->arg;
	return IsA(side, Var) ? ((Var *) side)->varattno : 0;
}

static bool
is_compared(const RelOptInfo *rel, List *clauses,
			const SortGroupClause * group, const TargetEntry *entry)
{
	Oid			collation = exprCollation((Node *) entry->expr);
	ListCell   *lc;

	foreach(lc, clauses)
		if (!entry->resjunk && entry->resno ==
			compared_column(lfirst(lc), rel, group, collation))
			return true;
	return false;
}

/* Has a row that is joined with the relation by these one partner at most? */
static bool
is_grouped_by(PlannerInfo *root, const RelOptInfo *rel, List *clauses)
{
	const RangeTblEntry *rte = root->simple_rte_array[rel->relid];
	List	   *grouped;
	ListCell   *lc;

	if (rte->rtekind != RTE_SUBQUERY || rte->subquery == NULL)
		return false;
	grouped = grouped_by(rte->subquery);
	foreach(lc, grouped)
	{
		const		SortGroupClause *group = lfirst(lc);
		const TargetEntry *entry =
			get_sortgroupclause_tle((SortGroupClause *) group,
									rte->subquery->targetList);

		if (!is_compared(rel, clauses, group, entry))
			return false;
	}
	return grouped != NIL;
}

/* Does a semi or anti join come between the two?  It asks another question. */
static bool
is_asked_only(PlannerInfo *root, const RelOptInfo *one,
			  const RelOptInfo *other)
{
	ListCell   *lc;

	foreach(lc, root->join_info_list)
	{
		const SpecialJoinInfo *join = lfirst(lc);

		if ((join->jointype == JOIN_SEMI || join->jointype == JOIN_ANTI) &&
			bms_overlap(join->syn_righthand, one->relids) !=
			bms_overlap(join->syn_righthand, other->relids))
			return true;
	}
	return false;
}

/* An outer join's rows without a partner core adds by itself. */
static void
put_selectivity(List *clauses, double selectivity)
{
	double		part = pow(selectivity, 1.0 / list_length(clauses));
	ListCell   *lc;

	foreach(lc, clauses)
	{
		RestrictInfo *clause = lfirst_node(RestrictInfo, lc);

		clause->norm_selec = part;
		clause->outer_selec = part;
	}
}

static void
put_pair(PlannerInfo *root, RelOptInfo *one, RelOptInfo *other)
{
	List	   *clauses = ssdpar_pair_clauses(root, one, other);
	SpecialJoinInfo join = ssdpar_inner_join(one, other);
	double		rows = 1.0;

	if (list_length(clauses) < 2)
		return;
	if (is_grouped_by(root, one, clauses))
		rows = Max(rows, one->rows);
	if (is_grouped_by(root, other, clauses))
		rows = Max(rows, other->rows);
	if (rows > 1.0 && !is_asked_only(root, one, other) &&
		ssdpar_clauses_selectivity(root, clauses, &join) > 1.0 / rows)
		put_selectivity(clauses, 1.0 / rows);
}

/* The base relation of that number, NULL if there is none. */
static RelOptInfo *
base_rel(PlannerInfo *root, int rti)
{
	RelOptInfo *rel = root->simple_rel_array[rti];

	return rel != NULL && rel->reloptkind == RELOPT_BASEREL ? rel : NULL;
}

void
ssdpar_put_grouped_joins(PlannerInfo *root)
{
	for (int i = 1; i < root->simple_rel_array_size; i++)
	{
		RelOptInfo *one = base_rel(root, i);

		for (int k = i + 1; one != NULL && k < root->simple_rel_array_size; k++)
		{
			RelOptInfo *other = base_rel(root, k);

			if (other != NULL && (one->rtekind == RTE_SUBQUERY ||
								  other->rtekind == RTE_SUBQUERY))
				put_pair(root, one, other);
		}
	}
}
