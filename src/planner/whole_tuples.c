/*
 * whole_tuples.c
 *		Lets the custom scan of a fact hand up its tuples as they are rather
 *		than project each of them.
 *
 * The first join may drop most of them, and what it does not look at need
 * never be taken out of the tuple.  Core does so for its own scans and not for
 * custom ones; the nodes above find the columns by what they are, so more of
 * them than asked for do no harm.
 *
 * Not below an Append: its children must agree on their columns.
 */
#include "postgres.h"

#include "optimizer/plancat.h"

#include "planner/whole_tuples.h"

List *
ssdpar_whole_tuples(PlannerInfo *root, RelOptInfo *rel, List *tlist)
{
	List	   *all_columns;
	ListCell   *lc;

	if (rel->reloptkind != RELOPT_BASEREL)
		return tlist;
	foreach(lc, tlist)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, lc);

		if (!IsA(entry->expr, Var) || entry->ressortgroupref != 0 ||
			((Var *) entry->expr)->varattno <= 0)
			return tlist;
	}
	all_columns = build_physical_tlist(root, rel);
	return all_columns != NIL ? all_columns : tlist;
}
