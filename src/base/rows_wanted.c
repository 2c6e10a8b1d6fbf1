/*
 * rows_wanted.c
 *		Whether a query level's joins are asked for all of their rows.
 *
 * A LIMIT, an EXISTS or a cursor may be content with a few, and may be that of
 * any level above.  But what sorts, hashes or aggregates between them and the
 * joins takes all first, unless rows come in an order that it needs.
 */
#include "postgres.h"

#include "base/rows_wanted.h"

bool
ssdpar_level_takes_all(const PlannerInfo *root)
{
	const Query *parse = root->parse;

	/* no order: of a constant, whose first row is as good as any */
	return parse->hasAggs || parse->groupingSets != NIL ||
		root->group_pathkeys != NIL || root->window_pathkeys != NIL ||
		root->distinct_pathkeys != NIL || root->sort_pathkeys != NIL;
}

bool
ssdpar_all_rows_wanted(const PlannerInfo *root, bool ordered)
{
	if (!ordered && ssdpar_level_takes_all(root))
		return true;
	for (; root != NULL; root = root->parent_root)
		if (root->tuple_fraction > 0.0)
			return false;
	return true;
}
