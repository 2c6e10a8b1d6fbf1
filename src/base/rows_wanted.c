/*
 * rows_wanted.c
 *		Determines whether all rows of a query level's joins are needed.
 *
 * A LIMIT, an EXISTS or a cursor, at any level above, may need only a few
 * rows. However, a sort, hash or aggregate between them and the joins reads
 * all rows first, unless they already have the required order.
 */
#include "postgres.h"

#include "nodes/parsenodes.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/tlist.h"
#include "utils/float.h"
#include "utils/selfuncs.h"

#include "base/rows_wanted.h"

bool
ssdpar_level_takes_all(const PlannerInfo *root)
{
	const Query *parse = root->parse;

	/* pathkeys are empty for constants, for which any first row will do */
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

/* Options of the statement being planned. */
static int	cursor_options = 0;

int
ssdpar_cursor_options_begin(int options)
{
	int			outer = cursor_options;

	cursor_options = options;
	return outer;
}

void
ssdpar_cursor_options_end(int outer)
{
	cursor_options = outer;
}

/* Only cursors are planned for a fast start. */
bool
ssdpar_may_go_backward(void)
{
	return (cursor_options & CURSOR_OPT_FAST_PLAN) != 0 &&
		(cursor_options & (CURSOR_OPT_SCROLL | CURSOR_OPT_NO_SCROLL)) == 0;
}

/*
 * Groups of the query level for which they were computed last, in the
 * statement being planned.  The number is needed for each path, but we ask
 * core only once per level, because it derives the number from statistics
 * alone and then clamps it to the number of rows.
 */
static PlannerInfo *grouped_level = NULL;
static double groups_made;

void
ssdpar_groups_made_forget(void)
{
	grouped_level = NULL;
}

static double
most_groups(PlannerInfo *root, List *clauses)
{
	if (grouped_level != root)
	{
		List	   *columns = get_sortgrouplist_exprs(clauses,
													  root->processed_tlist);

		groups_made = estimate_num_groups(root, columns, get_float8_infinity(),
										  NULL, NULL);
		grouped_level = root;
	}
	return groups_made;
}

/* Rows that the level returns for these joined rows: groups, if it groups. */
static double
rows_made(PlannerInfo *root, double rows)
{
	const Query *parse = root->parse;
	List	   *clauses;

	if (parse->groupClause == NIL && parse->distinctClause == NIL)
		return parse->hasAggs ? 1.0 : rows;
	clauses = list_concat_copy(parse->groupClause, parse->distinctClause);
	return Min(most_groups(root, clauses), rows);
}

/* Includes the rows of sibling partitions. */
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
ssdpar_share_wanted(PlannerInfo *root, const RelOptInfo *rel, bool ordered)
{
	const PlannerInfo *level = root;
	double		made;

	if (ssdpar_all_rows_wanted(root, ordered))
		return 1.0;
	while (level->tuple_fraction <= 0.0)
		level = level->parent_root;
	if (level->tuple_fraction < 1.0)
		return level->tuple_fraction;
	made = rows_made(root, rows_of_all(root, rel));
	return Min(level->tuple_fraction / Max(made, 1.0), 1.0);
}
