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

/* Set *all to every base relation of the level and return the largest. */
static RelOptInfo *
largest_relation(PlannerInfo *root, Relids *all)
{
	RelOptInfo *largest = NULL;

	*all = NULL;
	for (int rti = 1; rti < root->simple_rel_array_size; rti++)
	{
		RelOptInfo *rel = root->simple_rel_array[rti];

		if (rel == NULL || rel->reloptkind != RELOPT_BASEREL)
			continue;
		*all = bms_add_member(*all, rti);
		if (largest == NULL || relation_size(rel) > relation_size(largest))
			largest = rel;
	}
	return largest;
}

/* Can every relation in all be reached from fact over equality joins? */
static bool
all_reachable(PlannerInfo *root, RelOptInfo *fact, Relids all)
{
	Relids		reached = bms_make_singleton(fact->relid);
	Relids		frontier = bms_copy(reached);

	while (!bms_is_empty(frontier))
	{
		Relids		next = NULL;
		int			from = -1;

		while ((from = bms_next_member(frontier, from)) >= 0)
		{
			int			to = -1;

			while ((to = bms_next_member(all, to)) >= 0)
			{
				if (bms_is_member(to, reached) ||
					!have_relevant_eclass_joinclause(root,
													 root->simple_rel_array[from],
													 root->simple_rel_array[to]))
					continue;
				reached = bms_add_member(reached, to);
				next = bms_add_member(next, to);
			}
		}
		frontier = next;
	}
	return bms_equal(reached, all);
}

bool
ssdpar_find_star(PlannerInfo *root, SsdparStar *star, const char **reason)
{
	RelOptInfo *fact;
	Relids		all;

	*reason = NULL;
	if (root->parse->commandType != CMD_SELECT || root->parse->setOperations)
		return false;
	fact = largest_relation(root, &all);
	if (fact == NULL || fact->rtekind != RTE_RELATION)
		return false;

	if (!ssdpar_is_plain_table(root, fact))
		*reason = "the largest table is partitioned, foreign or sampled";
	else if (root->join_info_list != NIL)
		*reason = "the query has an outer, semi or anti join";
	else if (root->hasLateralRTEs)
		*reason = "the query has a lateral join";
	else if (!all_reachable(root, fact, all))
		*reason = "a table is not joined by equality";
	if (*reason)
		return false;

	star->fact = fact;
	star->dimensions = bms_del_member(all, fact->relid);
	return true;
}
