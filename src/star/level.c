/*
 * level.c
 *		Determines whether rows may be dropped in a query level before they
 *		are joined.
 */
#include "postgres.h"

#include "optimizer/optimizer.h"

#include "star/level.h"

/*
 * How often a condition is evaluated depends on the rows that reach it, and a
 * star scan removes most of them.  So no condition may be volatile: neither in
 * the fact's own filter nor in those of joins and subqueries.  The target list
 * may be volatile, because it is evaluated once for each result row in any
 * case.
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

/*
 * Rows that are modified or locked are rechecked individually, possibly in a
 * newer version that no key set includes.
 */
SsdparRefusal
ssdpar_level_problem(PlannerInfo *root, RelOptInfo *fact)
{
	if (root->parse->commandType != CMD_SELECT)
		return SSDPAR_REFUSED_CHANGES_ROWS;
	if (root->rowMarks != NIL || root->parse->rowMarks != NIL)
		return SSDPAR_REFUSED_LOCKS_ROWS;
	return has_volatile_conditions(root, fact) ?
		SSDPAR_REFUSED_VOLATILE : SSDPAR_ACCEPTED;
}
