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
 * Not below an Append: its children must agree on their columns.  Nor where
 * the table is all that a query level reads: the scan may be the topmost node,
 * whose columns are the result's.  Nor where rows are kept, hashed for
 * instance: columns that are not asked for would take memory.
 */
#include "postgres.h"

#include "optimizer/plancat.h"

#include "custom_scan/kept_rows.h"
#include "custom_scan/whole_tuples.h"

#ifdef USE_ASSERT_CHECKING
/*
 * A tuple handed up as it is has each column at its attribute number, so this
 * is where the target list has to name it.
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

	/* NIL if a column has been dropped: its place would be left empty */
	all_columns = build_physical_tlist(root, rel);
	Assert(all_columns == NIL || are_in_place(rel, all_columns));
	return all_columns != NIL ? all_columns : tlist;
}
