/*
 * offer.c
 *		Offers star scans to the planner for suitable facts.
 *
 * A star scan is an additional path of the fact's base relation.  Core
 * compares it with its own and adds the joins.  Nothing here prevents core
 * from choosing another plan, unless ssdpar.star_access forces a star scan.
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
#include "cost/short_level.h"
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
 * Offers star scans of the fact; false if there is none.
 *
 * With a forced access, no other path must be chosen.  The other paths are set
 * aside while star scans are added, because these might otherwise lose
 * immediately, and are restored as disabled, since rescans, parameters and
 * sort orders may need them.
 */
static bool
offer_scans(PlannerInfo *root, RelOptInfo *rel, List *dimensions)
{
	bool		forced = ssdpar_star_access != SSDPAR_STAR_AUTO;
	List	   *others = rel->pathlist;
	List	   *other_partials = rel->partial_pathlist;
	bool		added;
	ListCell   *lc;

	/* a join relation's paths would refer to those that are removed here */
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
		/* what remains when all the others are disabled */
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

	/* joins are built on it, so it must not have been removed */
	Assert(rel->cheapest_total_path == NULL ||
		   list_member_ptr(rel->pathlist, rel->cheapest_total_path));
	return added;
}

/*
 * Star scans compete with core's scans, so a fact is large enough if the cost
 * model also prices core's scans of it.
 */
static double
fewest_pages(void)
{
	return ssdpar_star_access != SSDPAR_STAR_AUTO ? 0 :
		ssdpar_fewest_large_pages();
}

/*
 * Adds the weighed pages of a table, or of all partitions of one, to *weighed.
 * Returns true as soon as these are large in total.
 */
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
 * Finds what may reduce fact, the most selective first; NIL, with the refusal,
 * if there is nothing.  Those that only save a join come last, because they
 * may be left out again.
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

/* A table that reduces this fact is not considered as a fact. */
static void
offer_fact(PlannerInfo *root, RelOptInfo *fact, Relids *seen)
{
	SsdparRefusal refusal;
	List	   *dimensions = find_reducers(root, fact, &refusal);

	if (dimensions == NIL)
	{
		ssdpar_note_star_refused(ssdpar_refusal_text(refusal));
		return;
	}
	ssdpar_correct_loop_rows(root, fact, dimensions);
	if (offer_scans(root, fact, dimensions))
		ssdpar_note_star_offered();
	*seen = bms_join(*seen, ssdpar_dimension_relids(dimensions));
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
		SsdparWorkSpan work;

		if (!is_large_enough(root, fact) ||
			(!ssdpar_is_parent(root, fact) &&
			 !ssdpar_is_scannable(root, fact)))
			continue;
		if (ssdpar_level_is_short(root))
		{
			ssdpar_note_star_refused(ssdpar_refusal_text(SSDPAR_REFUSED_SHORT));
			return;
		}
		ssdpar_note_work_begin(&work);
		offer_fact(root, fact, &seen);
		ssdpar_note_work_end(&work, SSDPAR_WORK_STAR_SCANS);
	}
}

/*
 * Only an array of keys could reduce a table that is read alone.  This is
 * checked for each table, so before everything that takes longer.
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
 * A star scan of a single table is not expected, so no refusal is noted.  For
 * a partitioned table that is read alone, core creates the paths once more
 * from those of its partitions, when the columns of the result are known.
 */
void
ssdpar_offer_lone_star_scan(PlannerInfo *root, RelOptInfo *rel)
{
	SsdparRefusal refusal;
	List	   *dimensions;

	/* core scans a single table backward, also below other nodes */
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
