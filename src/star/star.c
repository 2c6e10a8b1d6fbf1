/*
 * star.c
 *		Identifies facts, and queries that are a single star.
 *
 * A fact is the largest of the joined relations, in pages.  There are two
 * users of this rule, and each applies it differently:
 *
 *	- A star scan drops rows of one table, regardless of the rest of the query.
 *	  So there may be several facts.  The next one is the largest table that is
 *	  neither a fact nor a dimension of an earlier fact (ssdpar_next_fact()).
 *	- Splitting divides a whole query level into subqueries.  So the level must
 *	  be one star: the largest relation is the fact, all others are connected
 *	  with it, and there are only inner joins, because other joins could return
 *	  different rows for a part of the fact (ssdpar_find_star()).
 *
 * These functions can be called once the sizes of all base relations are
 * known.
 */
#include "postgres.h"

#include "access/transam.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"

#include "base/plain_table.h"
#include "star/star.h"

bool
ssdpar_is_parent(PlannerInfo *root, const RelOptInfo *rel)
{
	return root->simple_rte_array[rel->relid]->inh;
}

List *
ssdpar_live_partitions(PlannerInfo *root, const RelOptInfo *rel)
{
	List	   *partitions = NIL;
	ListCell   *lc;

	foreach(lc, root->append_rel_list)
	{
		AppendRelInfo *appended = lfirst(lc);
		RelOptInfo *partition;

		if (appended->parent_relid != rel->relid)
			continue;
		/* pruned partitions are missing or dummy relations */
		partition = root->simple_rel_array[appended->child_relid];
		if (partition != NULL && !IS_DUMMY_REL(partition))
			partitions = lappend(partitions, partition);
	}
	return partitions;
}

/*
 * A parent has only its children's pages.  A relation that is not a table,
 * such as a subquery, counts by the size of its rows.
 */
static double
count_pages(PlannerInfo *root, const RelOptInfo *rel)
{
	double		pages = 0;
	ListCell   *lc;

	if (rel->rtekind != RTE_RELATION)
		return rel->tuples * rel->reltarget->width / BLCKSZ;
	if (!ssdpar_is_parent(root, rel))
		return rel->pages;
	foreach(lc, ssdpar_live_partitions(root, rel))
		pages += count_pages(root, lfirst(lc));
	return pages;
}

/* Returns the largest base relation that is not in except, or NULL. */
static RelOptInfo *
largest_relation(PlannerInfo *root, Relids except, double *pages)
{
	RelOptInfo *largest = NULL;
	int			rti = -1;

	while ((rti = bms_next_member(root->all_baserels, rti)) >= 0)
	{
		RelOptInfo *rel = root->simple_rel_array[rti];
		double		rel_pages;

		if (bms_is_member(rti, except))
			continue;
		rel_pages = count_pages(root, rel);
		if (largest != NULL && rel_pages <= *pages)
			continue;
		largest = rel;
		*pages = rel_pages;
	}
	return largest;
}

RelOptInfo *
ssdpar_next_fact(PlannerInfo *root, double min_pages, Relids *seen)
{
	RelOptInfo *rel;
	double		pages;

	while ((rel = largest_relation(root, *seen, &pages)) != NULL &&
		   pages >= min_pages)
	{
		*seen = bms_add_member(*seen, rel->relid);
		if (rel->rtekind == RTE_RELATION && rel->has_eclass_joins &&
			!IS_DUMMY_REL(rel) &&
			(ssdpar_is_parent(root, rel) || ssdpar_is_plain_table(root, rel)))
			return rel;
	}
	return NULL;
}

/* Is rel joined by equality with one of these relations?  */
static bool
is_joined(PlannerInfo *root, RelOptInfo *rel, Relids others)
{
	int			rti = -1;

	while ((rti = bms_next_member(others, rti)) >= 0)
		if (have_relevant_eclass_joinclause(root, rel,
											root->simple_rel_array[rti]))
			return true;
	return false;
}

/*
 * Can each of these relations be reached from fact by equality joins?
 * Otherwise each subquery would repeat the work for an unreachable relation
 * with its share of the fact.
 */
static bool
all_reachable(PlannerInfo *root, RelOptInfo *fact, Relids others)
{
	Relids		frontier = fact->relids;
	Relids		left = bms_copy(others);

	while (!bms_is_empty(frontier) && !bms_is_empty(left))
	{
		Relids		next = NULL;
		int			rti = -1;

		while ((rti = bms_next_member(left, rti)) >= 0)
			if (is_joined(root, root->simple_rel_array[rti], frontier))
				next = bms_add_member(next, rti);
		left = bms_del_members(left, next);
		frontier = next;
	}
	return bms_is_empty(left);
}

bool
ssdpar_find_star(PlannerInfo *root, SsdparStar *star, SsdparRefusal *refusal)
{
	RelOptInfo *fact;
	double		pages;

	*refusal = SSDPAR_ACCEPTED;
	if (root->parse->commandType != CMD_SELECT || root->parse->setOperations)
		return false;
	fact = largest_relation(root, NULL, &pages);
	/* no star is expected of functions or of system catalogs */
	if (fact == NULL || fact->rtekind != RTE_RELATION ||
		root->simple_rte_array[fact->relid]->relid < FirstNormalObjectId)
		return false;
	star->fact = fact;
	star->dimensions = bms_difference(root->all_baserels, fact->relids);

	if (!ssdpar_is_plain_table(root, fact))
		*refusal = SSDPAR_REFUSED_NOT_PLAIN;
	else if (root->join_info_list != NIL)
		*refusal = SSDPAR_REFUSED_SPECIAL_JOIN;
	else if (root->hasLateralRTEs)
		*refusal = SSDPAR_REFUSED_LATERAL;
	else if (!all_reachable(root, fact, star->dimensions))
		*refusal = SSDPAR_REFUSED_NOT_JOINED;
	return *refusal == SSDPAR_ACCEPTED;
}
