/*
 * rows_wanted.c
 *		Whether a query level's joins are asked for all of their rows.
 *
 * A LIMIT, an EXISTS or a cursor may be content with a few, and may be that of
 * any level above.  But what sorts, hashes or aggregates between them and the
 * joins takes all first, unless rows come in an order that it needs.
 */
#include "postgres.h"

#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "utils/selfuncs.h"

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

/* Rows that the level makes of so many joined ones: groups, if it groups. */
static double
rows_made(PlannerInfo *root, double rows)
{
	const Query *parse = root->parse;
	List	   *columns = list_concat_copy(parse->groupClause,
										   parse->distinctClause);

	if (columns == NIL)
		return parse->hasAggs ? 1.0 : rows;
	return estimate_num_groups(root,
							   get_sortgrouplist_exprs(columns,
													   root->processed_tlist),
							   rows, NULL, NULL);
}

/* With those of other partitions. */
static double
rows_of_all(PlannerInfo *root, const RelOptInfo *rel)
{
	const RelOptInfo *parent = rel;
	int			rti;

	if (bms_get_singleton_member(rel->top_parent_relids, &rti))
		parent = find_base_rel(root, rti);
	else if (!bms_is_empty(rel->top_parent_relids))
		parent = find_join_rel(root, rel->top_parent_relids);
	return parent == NULL ? rel->rows : parent->rows;
}

double
ssdpar_share_wanted(PlannerInfo *root, const RelOptInfo *rel)
{
	const PlannerInfo *level = root;
	double		rows = rows_of_all(root, rel);

	while (level != NULL && level->tuple_fraction <= 0.0)
		level = level->parent_root;
	if (level == NULL)
		return 1.0;
	if (level->tuple_fraction < 1.0)
		return level->tuple_fraction;
	return Min(level->tuple_fraction / Max(rows_made(root, rows), 1.0), 1.0);
}
