/*
 * offer.c
 *		Offers star scans to the planner: for which facts.
 *
 * A star scan is one more path of the fact's base relation.  Core compares it
 * with its own and puts the joins on top; nothing is decided here that would
 * keep core from another plan, unless ssdpar.star_access forces a star scan.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"

#include "base/notes.h"
#include "base/planner_compat.h"
#include "base/settings.h"
#include "star/semijoin.h"
#include "star/star.h"
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
	}
	if (added)
		set_cheapest(rel);

	/* joins are built on it: it must not be one of those taken out */
	Assert(list_member_ptr(rel->pathlist, rel->cheapest_total_path));
	return added;
}

/*
 * How often a condition is computed depends on which rows come to it, and a
 * star scan leaves most away.  So nothing volatile, not only in the fact's own
 * filter: also in those of joins and of subqueries.  What is computed of the
 * result, as often as it has rows, does no harm.
 */
static bool
has_volatile_conditions(PlannerInfo *root, RelOptInfo *fact)
{
	Query		query = *root->parse;
	ListCell   *lc;

	query.targetList = NIL;
	if (contain_volatile_functions((Node *) &query) ||
		contain_volatile_functions((Node *) fact->baserestrictinfo))
		return true;
	foreach(lc, root->glob->subroots)
		if (contain_volatile_functions((Node *)
									   lfirst_node(PlannerInfo, lc)->parse))
			return true;
	return false;
}

void
ssdpar_offer_star_scans(PlannerInfo *root)
{
	/*
	 * Star scans compete with core's scans, so a fact is large enough if the
	 * cost model prices those too.
	 */
	double		min_pages = ssdpar_star_access != SSDPAR_STAR_AUTO ? 0 :
		ssdpar_cost_model_min_size / (BLCKSZ / 1024.0);
	Relids		seen = NULL;
	RelOptInfo *fact;

	if (!ssdpar_star_scan || root->join_rel_list != NIL ||
		root->eq_classes == NIL)
		return;
	while ((fact = ssdpar_next_fact(root, min_pages, &seen)) != NULL)
	{
		SsdparRefusal refusal = SSDPAR_ACCEPTED;
		List	   *dimensions = NIL;

		if (!ssdpar_is_parent(root, fact) &&
			!ssdpar_is_scannable(root, fact))
			continue;

		/*
		 * Rows that are changed or locked are looked at again one by one, by
		 * then in a newer version, of which no key set knows.
		 */
		if (root->parse->commandType != CMD_SELECT)
			refusal = SSDPAR_REFUSED_CHANGES_ROWS;
		else if (root->rowMarks != NIL || root->parse->rowMarks != NIL)
			refusal = SSDPAR_REFUSED_LOCKS_ROWS;
		else if (has_volatile_conditions(root, fact))
			refusal = SSDPAR_REFUSED_VOLATILE;
		else
			dimensions = ssdpar_find_dimensions(root, fact, &refusal);
		if (dimensions == NIL)
		{
			ssdpar_note_star_refused(ssdpar_refusal_text(refusal));
			continue;
		}
		if (offer_scans(root, fact, dimensions))
			ssdpar_note_star_offered();
		/* what reduces this fact is no fact of its own */
		seen = bms_join(seen, ssdpar_dimension_relids(dimensions));
	}
}
