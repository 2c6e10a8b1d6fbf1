/*
 * offer.c
 *		Offers star scans to the planner: for which facts.
 *
 * A star scan is one more path of the fact's base relation.  Core compares it
 * with its own and puts the joins on top; nothing is decided here that would
 * keep core from another plan, unless ssdpar.star_access forces a star scan.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"

#include "base/notes.h"
#include "base/planner_compat.h"
#include "base/rows_wanted.h"
#include "base/settings.h"
#include "cost/large_table.h"
#include "star/array_keys.h"
#include "star/level.h"
#include "star/semijoin.h"
#include "star/star.h"
#include "starscan/plan/covering.h"
#include "starscan/plan/loop_rows.h"
#include "starscan/plan/offer.h"
#include "starscan/plan/part_scans.h"
#include "starscan/plan/scannable.h"
#include "starscan/plan/search.h"

/*
 * Offer star scans of the fact; false: there is none.
 *
 * A forced access: whatever else there is shall not be chosen.  It is put aside
 * while star scans are added, or these might lose at once, and comes back
 * disabled, since rescans, parameters and sort orders may need it.
 */
static bool
offer_scans(PlannerInfo *root, RelOptInfo *rel, List *dimensions)
{
	bool		forced = ssdpar_star_access != SSDPAR_STAR_AUTO;
	List	   *others = rel->pathlist;
	List	   *other_partials = rel->partial_pathlist;
	bool		added;
	ListCell   *lc;

	/* a join relation's paths would refer to those that are taken out here */
	Assert(root->join_rel_list == NIL);
	if (forced)
	{
		rel->pathlist = NIL;
		rel->partial_pathlist = NIL;
	}
	added = ssdpar_is_parent(root, rel) ?
		ssdpar_add_part_scans(root, rel, dimensions) :
		ssdpar_add_star_scans(root, rel, dimensions);
	if (forced && !added)
	{
		rel->pathlist = list_concat(rel->pathlist, others);
		rel->partial_pathlist = other_partials;
	}
	else if (forced)
	{
		/* what is left when all the others are disabled */
		Assert(rel->pathlist != NIL);
		foreach(lc, others)
		{
			ssdpar_disable_path(lfirst(lc));
			rel->pathlist = lappend(rel->pathlist, lfirst(lc));
		}
		ssdpar_group_after_joins(root);
	}
	if (added)
		set_cheapest(rel);

	/* joins are built on it: it must not be one of those taken out */
	Assert(rel->cheapest_total_path == NULL ||
		   list_member_ptr(rel->pathlist, rel->cheapest_total_path));
	return added;
}

/*
 * Star scans compete with core's scans, so a fact is large enough if the cost
 * model prices those too.
 */
static double
fewest_pages(void)
{
	return ssdpar_star_access != SSDPAR_STAR_AUTO ? 0 :
		ssdpar_fewest_large_pages();
}

/* A table, or all partitions of one, with so many weighed pages before. */
static bool
are_large_together(PlannerInfo *root, const RelOptInfo *rel, double *weighed)
{
	ListCell   *lc;

	check_stack_depth();
	if (!ssdpar_is_parent(root, rel))
	{
		*weighed += ssdpar_weighed_pages(rel->reltablespace, rel->pages);
		return ssdpar_are_large(*weighed);
	}
	foreach(lc, ssdpar_live_partitions(root, rel))
		if (are_large_together(root, lfirst(lc), weighed))
			return true;
	return false;
}

static bool
is_large_enough(PlannerInfo *root, const RelOptInfo *fact)
{
	double		weighed = 0;

	return ssdpar_star_access != SSDPAR_STAR_AUTO ||
		are_large_together(root, fact, &weighed);
}

/*
 * What may reduce fact, the most selective first; NIL, with the refusal.  Those
 * that only spare a join come last, where they may be left out again.
 */
static List *
find_reducers(PlannerInfo *root, RelOptInfo *fact, SsdparRefusal *refusal)
{
	List	   *dimensions = NIL;
	List	   *keeping_all = NIL;
	int			nrelids;

	*refusal = ssdpar_level_problem(root, fact);
	if (*refusal != SSDPAR_ACCEPTED)
		return NIL;
	if (fact->has_eclass_joins)
		dimensions = ssdpar_find_dimensions(root, fact, refusal,
											&keeping_all);
	nrelids = bms_num_members(ssdpar_dimension_relids(dimensions));
	dimensions = list_concat(dimensions,
							 ssdpar_array_dimensions(root, fact,
													 SSDPAR_MAX_REDUCERS -
													 nrelids));
	list_sort(dimensions, ssdpar_compare_dimensions);
	if (dimensions == NIL || ssdpar_star_access != SSDPAR_STAR_AUTO)
		return dimensions;
	return list_concat(dimensions,
					   ssdpar_joined_besides(root, dimensions, keeping_all));
}

void
ssdpar_offer_star_scans(PlannerInfo *root)
{
	Relids		seen = NULL;
	RelOptInfo *fact;

	if (!ssdpar_star_scan || root->join_rel_list != NIL ||
		root->eq_classes == NIL)
		return;
	while ((fact = ssdpar_next_fact(root, fewest_pages(), &seen)) != NULL)
	{
		SsdparRefusal refusal;
		List	   *dimensions;

		if (!is_large_enough(root, fact) ||
			(!ssdpar_is_parent(root, fact) &&
			 !ssdpar_is_scannable(root, fact)))
			continue;
		dimensions = find_reducers(root, fact, &refusal);
		if (dimensions == NIL)
		{
			ssdpar_note_star_refused(ssdpar_refusal_text(refusal));
			continue;
		}
		ssdpar_correct_loop_rows(root, fact, dimensions);
		if (offer_scans(root, fact, dimensions))
			ssdpar_note_star_offered();
		/* what reduces this fact is no fact of its own */
		seen = bms_join(seen, ssdpar_dimension_relids(dimensions));
	}
}

/*
 * Nothing but an array of keys could reduce a table that is read alone.  Asked
 * of each, so before all that takes longer.
 */
static bool
may_have_array_keys(const RelOptInfo *rel)
{
	ListCell   *lc;

	foreach(lc, rel->baserestrictinfo)
		if (IsA(lfirst_node(RestrictInfo, lc)->clause, ScalarArrayOpExpr))
			return true;
	return false;
}

/*
 * Nobody expects a star scan of one table, so no refusal is noted.  Of a
 * partitioned table that is read alone core makes the paths once more, from
 * those of its partitions, when the columns of the result are known.
 */
void
ssdpar_offer_lone_star_scan(PlannerInfo *root, RelOptInfo *rel)
{
	SsdparRefusal refusal;
	List	   *dimensions;

	/* core's scan of a table by itself goes backward, also below others */
	if (ssdpar_may_go_backward())
		return;
	if (!ssdpar_star_scan || ssdpar_subqueries > 1 ||
		!bms_equal(rel->relids, root->all_baserels) || IS_DUMMY_REL(rel) ||
		rel->rtekind != RTE_RELATION || !may_have_array_keys(rel) ||
		rel->pages < fewest_pages() || !ssdpar_is_scannable(root, rel))
		return;
	dimensions = find_reducers(root, rel, &refusal);
	if (dimensions != NIL && offer_scans(root, rel, dimensions))
		ssdpar_note_star_offered();
}
