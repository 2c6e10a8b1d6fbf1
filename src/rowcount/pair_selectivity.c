/*
 * pair_selectivity.c
 *		Makes core use a known row count for the join of two base relations,
 *		and for all joins that contain both.
 *
 * Core multiplies the selectivities of the clauses that a join relation
 * checks, and caches each selectivity in its clause.  So we store the
 * selectivity of a pair's join there before joins are searched.  Then every
 * join relation with both tables has the same number of rows, no matter which
 * joins it is made of.
 */
#include "postgres.h"

#include <math.h>

#include "optimizer/optimizer.h"

#include "base/planner_compat.h"
#include "rowcount/foreign_keys.h"
#include "rowcount/pair_selectivity.h"

/* Is exactly one of the two inside this side of a join? */
static bool
separates(Relids side, const RelOptInfo *one, const RelOptInfo *other)
{
	return bms_overlap(side, one->relids) != bms_overlap(side, other->relids);
}

/*
 * Finds the join between these two.  Returns false if the selectivity of the
 * clauses between them does not determine the number of rows (an outer join),
 * or not alone.  Sets *special to the semijoin or antijoin, or to NULL for an
 * inner join.
 */
static bool
find_join(PlannerInfo *root, RelOptInfo *one, RelOptInfo *other,
		  SpecialJoinInfo **special)
{
	Relids		both = bms_union(one->relids, other->relids);
	ListCell   *lc;

	*special = NULL;
	foreach(lc, root->join_info_list)
	{
		SpecialJoinInfo *join = lfirst(lc);

		if (!separates(join->syn_righthand, one, other) &&
			!(join->jointype == JOIN_FULL &&
			  separates(join->syn_lefthand, one, other)))
			continue;
		if (*special != NULL ||
			(join->jointype != JOIN_SEMI && join->jointype != JOIN_ANTI) ||
			!bms_is_subset(join->min_lefthand, both) ||
			!bms_is_subset(join->min_righthand, both))
			return false;
		*special = join;
	}
	return true;
}

/* The conditions that a join of the two checks, as RestrictInfos. */
static List *
pair_clauses(PlannerInfo *root, RelOptInfo *one, RelOptInfo *other)
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

/* What core's estimators are to be told of a plain join of the two. */
static SpecialJoinInfo
inner_join(const RelOptInfo *one, const RelOptInfo *other)
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

/* The product of what core takes for the selectivities of these. */
static double
clauses_selectivity(PlannerInfo *root, List *clauses, SpecialJoinInfo *join)
{
	double		product = 1.0;
	ListCell   *lc;

	foreach(lc, clauses)
		product *= clause_selectivity(root, lfirst(lc), 0, join->jointype,
									  join);
	return product;
}

/*
 * For an inner join, the share of all pairs of rows; for a semijoin or
 * antijoin, the share of the outer side's rows that have a match.
 */
static double
pair_selectivity(double rows, const RelOptInfo *one, const RelOptInfo *other,
				 const SpecialJoinInfo *special)
{
	const RelOptInfo *outer;
	double		share;

	if (special == NULL)
		return Min(rows / (one->rows * other->rows), 1.0);
	outer = bms_is_subset(special->min_lefthand, one->relids) ? one : other;
	share = Min(rows / outer->rows, 1.0);
	return special->jointype == JOIN_ANTI ? 1.0 - share : share;
}

/*
 * The power to which core's selectivities of these clauses have to be raised
 * so that their product becomes this selectivity.  0 if there is none.
 */
static double
common_power(PlannerInfo *root, List *clauses, SpecialJoinInfo *join,
			 double selectivity)
{
	double		product;

	if (list_length(clauses) < 2)
		return 0.0;
	product = clauses_selectivity(root, clauses, join);
	return product > 0.0 && product < 1.0 ?
		log(selectivity) / log(product) : 0.0;
}

/*
 * We know only the product.  However, core also uses some of the clauses
 * alone: in a merge join ordered by one key, and in a join by another clause
 * of an equivalence class.  So more selective clauses remain more selective.
 */
static void
put_selectivity(PlannerInfo *root, List *clauses, SpecialJoinInfo *join,
				double selectivity)
{
	double		power = common_power(root, clauses, join, selectivity);
	double		equal_part = pow(selectivity, 1.0 / list_length(clauses));
	ListCell   *lc;

	foreach(lc, clauses)
	{
		RestrictInfo *clause = lfirst(lc);
		double		part = power <= 0.0 ? equal_part :
			pow(clause_selectivity(root, (Node *) clause, 0, join->jointype,
								   join), power);

		if (join->jointype == JOIN_INNER)
			clause->norm_selec = part;
		else
			clause->outer_selec = part;
	}
}

/*
 * Before PostgreSQL 16 core builds a second clause if it joins the two tables
 * in the other order: the commuted equality, with a separate selectivity.
 */
static void
copy_to_commuted(const List *clauses, const List *commuted)
{
	ListCell   *lc;
	ListCell   *other;

	forboth(lc, clauses, other, commuted)
	{
		const RestrictInfo *clause = lfirst(lc);
		RestrictInfo *twin = lfirst(other);

		Assert(clause == twin || clause->parent_ec == twin->parent_ec);
		twin->norm_selec = clause->norm_selec;
		twin->outer_selec = clause->outer_selec;
	}
}

void
ssdpar_put_pair_selectivity(PlannerInfo *root, RelOptInfo *one,
							RelOptInfo *other, double rows)
{
	Relids		both = bms_union(one->relids, other->relids);
	SpecialJoinInfo *special;
	SpecialJoinInfo inner;
	double		selectivity;
	List	   *clauses;

	if (!find_join(root, one, other, &special))
		return;
	clauses = pair_clauses(root, one, other);
	if (clauses == NIL)
		return;
	selectivity = pair_selectivity(rows, one, other, special);
	inner = inner_join(one, other);
	put_selectivity(root, clauses, special != NULL ? special : &inner,
					selectivity);
	copy_to_commuted(ssdpar_join_equalities(root, one, other),
					 ssdpar_join_equalities(root, other, one));
	if (special == NULL)
		ssdpar_put_foreign_key(root, both, clauses, selectivity);
	else
		ssdpar_forget_foreign_keys(root, both);
}
