/*
 * level.c
 *		Whether rows may be dropped in a query level before they are joined.
 */
#include "postgres.h"

#include "optimizer/optimizer.h"

#include "star/level.h"

/*
 * How often a condition is computed depends on which rows come to it, and a
 * star scan leaves most away.  So nothing volatile, not only in the fact's own
 * filter: also in those of joins and of subqueries.  What is computed of the
 * result, as often as it has rows, does no harm.
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
 * Rows that are changed or locked are looked at again one by one, by then in a
 * newer version, of which no key set knows.
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
