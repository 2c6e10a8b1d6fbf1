/*
 * key_range.c
 *		Estimates the share of a fact that lies in the range of a dimension's
 *		keys.
 *
 * The keys that pass a filter may be spread over the whole range of keys,
 * unless the filter compares the key itself: orders of one month that are
 * numbered as they arrive can also be found by their number.  Core derives
 * conditions on the fact from equalities, but not from such comparisons.
 *
 * The share is that of the dimension's keys.  The fact's rows may be
 * distributed differently, but core's join estimates make the same assumption.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "shards/plan/key_range.h"

static const Node *
without_relabel(const Node *node)
{
	while (IsA(node, RelabelType))
		node = (const Node *) ((const RelabelType *) node)->arg;
	return node;
}

/*
 * Comparisons that select a contiguous range.  Core itself derives conditions
 * from equalities.
 */
static bool
is_ordering(Oid operator)
{
	switch (get_oprrest(operator))
	{
		case F_SCALARLTSEL:
		case F_SCALARLESEL:
		case F_SCALARGTSEL:
		case F_SCALARGESEL:
			return true;
		default:
			return false;
	}
}

/* Does it compare the key with a value that is the same for all rows? */
static bool
compares_key(const Expr *clause, const Var *key)
{
	const Node *left;
	const Node *right;

	if (!is_opclause(clause) ||
		list_length(((const OpExpr *) clause)->args) != 2 ||
		!is_ordering(((const OpExpr *) clause)->opno))
		return false;
	left = without_relabel(get_leftop(clause));
	right = without_relabel(get_rightop(clause));
	return (equal(left, key) && !contain_var_clause((Node *) right)) ||
		(equal(right, key) && !contain_var_clause((Node *) left));
}

double
ssdpar_key_range_share(PlannerInfo *root, const SsdparDimension *dimension)
{
	const Var  *key = linitial_node(Var, dimension->key_vars);
	List	   *comparisons = NIL;
	ListCell   *lc;

	foreach(lc, dimension->rel->baserestrictinfo)
	{
		RestrictInfo *condition = lfirst_node(RestrictInfo, lc);

		if (compares_key(condition->clause, key))
			comparisons = lappend(comparisons, condition);
	}
	return clauselist_selectivity(root, comparisons, dimension->rel->relid,
								  JOIN_INNER, NULL);
}
