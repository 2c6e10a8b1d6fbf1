/*
 * key_range.c
 *		What the range of a dimension's keys keeps of a fact.
 *
 * Keys that a filter leaves lie anywhere between the first and the last one
 * that there is, unless the filter compares the key itself: orders of a month,
 * numbered as they came in, are found by their number as well.  Core does not
 * take such a comparison to the fact, as it does with one for equality.
 *
 * The share is taken of the dimension's keys.  The fact's rows may be spread
 * over them in another way; that is guessed, as where core joins the two.
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
 * What it leaves lies side by side.  Equality core takes to the fact by
 * itself.
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

/* Is it the key, compared with what is the same for all rows? */
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
