/*
 * whole_tuples.c
 *		Lets the custom scan of a fact return its tuples unchanged, instead
 *		of projecting each of them.
 *
 * The first join may drop most of them, and columns that it does not need are
 * then never extracted from the tuple.  Core does this for its own scans, but
 * not for custom ones.  The nodes above find the columns by their expressions,
 * so additional columns do no harm.
 *
 * It is not done below an Append, whose children must agree on their columns.
 * Nor if the table is all that a query level reads, because the scan may be
 * the topmost node, whose columns are the result's.  Nor if rows are stored,
 * for instance hashed, because unneeded columns would take memory.
 */
#include "postgres.h"

#include "optimizer/plancat.h"

#include "custom_scan/kept_rows.h"
#include "custom_scan/whole_tuples.h"

#ifdef USE_ASSERT_CHECKING
/*
 * An unchanged tuple has each column at its attribute number, so the target
 * list must have it there, too.
 */
static bool
are_in_place(RelOptInfo *rel, List *columns)
{
	ListCell   *lc;

	foreach(lc, columns)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, lc);

		if (!IsA(entry->expr, Var) ||
			((Var *) entry->expr)->varno != (int) rel->relid ||
			((Var *) entry->expr)->varattno != entry->resno ||
			entry->resno != foreach_current_index(lc) + 1)
			return false;
	}
	return list_length(columns) == rel->max_attr;
}
#endif

List *
ssdpar_whole_tuples(PlannerInfo *root, const Path *path, List *tlist)
{
	RelOptInfo *rel = path->parent;
	List	   *all_columns;
	ListCell   *lc;

	if (rel->reloptkind != RELOPT_BASEREL ||
		bms_equal(rel->relids, root->all_baserels) ||
		ssdpar_rows_are_kept(root, path))
		return tlist;
	foreach(lc, tlist)
	{
		TargetEntry *entry = lfirst_node(TargetEntry, lc);

		if (!IsA(entry->expr, Var) || entry->ressortgroupref != 0 ||
			((Var *) entry->expr)->varattno <= 0)
			return tlist;
	}

	/* NIL if a column was dropped, since its place would be empty */
	all_columns = build_physical_tlist(root, rel);
	Assert(all_columns == NIL || are_in_place(rel, all_columns));
	return all_columns != NIL ? all_columns : tlist;
}
