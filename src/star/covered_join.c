/*
 * covered_join.c
 *		Proves that a join of a fact with dimensions only looks up each row's
 *		partners by key.
 *
 * A star scan drops rows of the fact that have no partner in a dimension.  The
 * join above checks all keys again, because the star scan may have let too
 * many rows pass.  If the star scan looks up keys exactly and all of the
 * following hold, there is nothing left to check:
 *
 *	- The keys cover all conditions of the join.  They are all equalities
 *	  between the fact and each dimension; two dimensions are related only by
 *	  columns that are equal to a column of the fact; and no other clause is
 *	  evaluated at this join.
 *	- Codes are values: the key is one column of an integer type.
 *	- Each row has at most one partner, because the key has a unique index, or
 *	  the join is a semijoin, for which the number of partners does not matter.
 *	- Each outer join has all of the relations on one side.  So the join is an
 *	  inner join, except for semijoins with one dimension each.
 *	- The join's target list has only plain columns of the fact and of
 *	  dimensions joined by an inner join: no expressions evaluated below the
 *	  join, no system columns, no whole rows.
 *
 * With security levels, quals would have to be evaluated in a certain order,
 * so there must be none.  There must be no pseudoconstant conditions either.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"

#include "base/planner_compat.h"
#include "keys/key_code.h"
#include "star/covered_join.h"
#include "star/semijoin.h"
#include "star/unique_key.h"

/* Are some of relids in side, and some not?  */
static bool
straddles(Relids relids, Relids side)
{
	return bms_overlap(relids, side) && !bms_is_subset(relids, side);
}

/*
 * Is join a semijoin of one of relids, which is not the fact, with others of
 * relids?
 */
static bool
is_semijoin_within(const SpecialJoinInfo *join, Relids relids, Index fact)
{
	return join->jointype == JOIN_SEMI &&
		bms_membership(join->syn_righthand) == BMS_SINGLETON &&
		!bms_is_member(fact, join->syn_righthand) &&
		bms_is_subset(join->min_lefthand, relids);
}

/* Are these relations inner-joined, except for such semijoins?  */
static bool
are_on_one_side(PlannerInfo *root, Relids relids, Index fact)
{
	ListCell   *lc;

	foreach(lc, root->join_info_list)
	{
		SpecialJoinInfo *join = lfirst(lc);

		if (straddles(relids, join->syn_righthand) &&
			!is_semijoin_within(join, relids, fact))
			return false;
		if (join->jointype == JOIN_FULL &&
			straddles(relids, join->syn_lefthand))
			return false;
	}
	return true;
}

/* Is rel the whole inner side of a semijoin?  */
static bool
is_semijoined(PlannerInfo *root, RelOptInfo *rel)
{
	ListCell   *lc;

	foreach(lc, root->join_info_list)
	{
		SpecialJoinInfo *join = lfirst(lc);

		if (join->jointype == JOIN_SEMI &&
			bms_equal(join->syn_righthand, rel->relids))
			return true;
	}
	return false;
}

/*
 * Do the equalities of this class among relids all follow from those between
 * the fact and each other relation?  A class with a constant does not matter
 * here, because each member is compared with the constant.
 */
static bool
class_is_checked(EquivalenceClass * class, Relids relids, Index fact)
{
	Relids		found = NULL;
	bool		spans = false;
	int			nmembers = 0;
	ListCell   *lc;

	if (class->ec_broken)
		return false;
	if (class->ec_has_const)
		return true;
	foreach(lc, class->ec_members)
	{
		EquivalenceMember *member = lfirst(lc);

		if (member->em_is_child || !bms_is_subset(member->em_relids, relids))
			continue;
		spans |= bms_membership(member->em_relids) != BMS_SINGLETON;
		found = bms_add_members(found, member->em_relids);
		nmembers++;
	}
	if (nmembers < 2 || (!spans && bms_membership(found) != BMS_MULTIPLE))
		return true;
	return !spans && bms_is_member(fact, found);
}

/*
 * Are all join clauses among relids checked, provided that all equalities
 * between the fact and each dimension are?
 */
static bool
clauses_are_checked(PlannerInfo *root, Relids relids, Index fact)
{
	int			rti = -1;
	ListCell   *lc;

	foreach(lc, root->eq_classes)
	{
		EquivalenceClass *class = lfirst(lc);

		if (bms_overlap(class->ec_relids, relids) &&
			!class_is_checked(class, relids, fact))
			return false;
	}
	while ((rti = bms_next_member(relids, rti)) >= 0)
	{
		foreach(lc, root->simple_rel_array[rti]->joininfo)
		{
			RestrictInfo *clause = lfirst_node(RestrictInfo, lc);

			if (bms_is_subset(clause->required_relids, relids))
				return false;
		}
	}
	return true;
}

static bool
is_exact(const SsdparDimension *dimension)
{
	SsdparJoinKey key = {.ncolumns = list_length(dimension->key_vars)};

	key.operators[0] = linitial_oid(dimension->operators);
	return dimension->complete && ssdpar_key_code_is_exact(&key);
}

/* Does a unique index prove that each key of the dimension has one row?  */
static bool
is_unique(PlannerInfo *root, const SsdparDimension *dimension)
{
	return ssdpar_unique_key_index(root, dimension->rel,
								   linitial(dimension->key_vars),
								   linitial_oid(dimension->operators)) != NULL;
}

/* Does the join need only plain columns, and only of relations in wanted?  */
static bool
wants_plain_columns(RelOptInfo *joinrel, Relids wanted)
{
	ListCell   *lc;

	foreach(lc, joinrel->reltarget->exprs)
	{
		Var		   *var = lfirst(lc);

		if (!IsA(var, Var) || var->varattno <= 0 || var->varlevelsup != 0 ||
			ssdpar_is_null_extended(var) ||
			!bms_is_member(var->varno, wanted))
			return false;
	}
	return true;
}

/*
 * Can all of the fact's own conditions be evaluated for a row of the fact
 * alone?
 */
static bool
has_plain_quals(RelOptInfo *fact)
{
	ListCell   *lc;

	foreach(lc, fact->baserestrictinfo)
	{
		RestrictInfo *clause = lfirst_node(RestrictInfo, lc);
		Bitmapset  *columns = NULL;

		pull_varattnos((Node *) clause->clause, fact->relid, &columns);
		if (clause->pseudoconstant ||
			(!bms_is_empty(columns) && bms_next_member(columns, -1) <=
			 0 - FirstLowInvalidHeapAttributeNumber))
			return false;
	}
	return true;
}

bool
ssdpar_dimension_may_be_covered(PlannerInfo *root,
								const SsdparDimension *dimension)
{
	return dimension->rel->rtekind == RTE_RELATION && is_exact(dimension) &&
		(is_semijoined(root, dimension->rel) || is_unique(root, dimension));
}

bool
ssdpar_join_is_covered(PlannerInfo *root, RelOptInfo *joinrel,
					   RelOptInfo *fact, List *dimensions)
{
	Relids		wanted = bms_copy(fact->relids);
	ListCell   *lc;

	if (root->qual_security_level > 0 || !has_plain_quals(fact))
		return false;
	foreach(lc, dimensions)
	{
		SsdparDimension *dimension = lfirst(lc);

		if (!ssdpar_dimension_may_be_covered(root, dimension))
			return false;
		if (!is_semijoined(root, dimension->rel))
			wanted = bms_add_members(wanted, dimension->rel->relids);
	}
	return wants_plain_columns(joinrel, wanted) &&
		are_on_one_side(root, joinrel->relids, fact->relid) &&
		clauses_are_checked(root, joinrel->relids, fact->relid);
}
