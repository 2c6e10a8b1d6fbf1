/*
 * star.c
 *		Recognises a star query: which table is the fact, which are dimensions.
 *
 * This only looks; what is done with a star is decided elsewhere.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"

#include "planner/star.h"

bool
ssdpar_is_plain_table(PlannerInfo *root, RelOptInfo *rel)
{
	RangeTblEntry *rte;

	if (rel->reloptkind != RELOPT_BASEREL || rel->rtekind != RTE_RELATION)
		return false;
	rte = root->simple_rte_array[rel->relid];
	return !rte->inh && rte->tablesample == NULL &&
		(rte->relkind == RELKIND_RELATION || rte->relkind == RELKIND_MATVIEW);
}

/* Bytes of a relation; an inheritance parent has no pages of its own. */
static double
relation_size(RelOptInfo *rel)
{
	if (rel->pages > 0)
		return (double) rel->pages * BLCKSZ;
	return rel->tuples * rel->reltarget->width;
}

static RelOptInfo *
largest_relation(PlannerInfo *root)
{
	RelOptInfo *largest = NULL;
	int			rti = -1;

	while ((rti = bms_next_member(root->all_baserels, rti)) >= 0)
	{
		RelOptInfo *rel = root->simple_rel_array[rti];

		if (largest == NULL || relation_size(rel) > relation_size(largest))
			largest = rel;
	}
	return largest;
}

/* Is rel joined by equality with one of these relations? */
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

/* Can each of these relations be reached from fact over equality joins? */
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
ssdpar_find_star(PlannerInfo *root, SsdparStar *star, const char **reason)
{
	RelOptInfo *fact;
	Relids		dimensions;

	*reason = NULL;
	if (root->parse->commandType != CMD_SELECT || root->parse->setOperations)
		return false;
	fact = largest_relation(root);
	if (fact == NULL || fact->rtekind != RTE_RELATION)
		return false;
	dimensions = bms_difference(root->all_baserels, fact->relids);

	if (!ssdpar_is_plain_table(root, fact))
		*reason = "the largest table is partitioned, foreign or sampled";
	else if (root->join_info_list != NIL)
		*reason = "the query has an outer, semi or anti join";
	else if (root->hasLateralRTEs)
		*reason = "the query has a lateral join";
	else if (!all_reachable(root, fact, dimensions))
		*reason = "a table is not joined by equality";
	if (*reason)
		return false;

	star->fact = fact;
	star->dimensions = dimensions;
	return true;
}
