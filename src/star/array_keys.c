/*
 * array_keys.c
 *		Arrays of keys in a fact's own filter, as dimensions.
 *
 * "column = ANY (array)" with thousands of keys is what is left of a join when
 * its other side has been read before: by another server, which sends the keys
 * (shards/), or by an application.  Core looks each key up in an index, one
 * after another, or computes the filter on every row.  A star scan can use them
 * as it uses keys that it has read from a dimension.
 *
 * So the array becomes a relation, unnest(array), of a single column, with a
 * path of its own: a function scan.  It is among the query level's relations,
 * since plans are made by their numbers; but it is none of its base relations,
 * so that core joins it with nothing.
 *
 * Dropping rows by it is right because the condition is one of the table's own:
 * a row whose column is in no way among the keys does not pass the filter,
 * which is computed on all rows that are left.  Early it may be tested as in
 * page_filters.c: of integers, where that calls no function of a user's and
 * cannot fail.  The array is a constant or a parameter, so it is the same for
 * all rows.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/restrictinfo.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"

#include "base/planner_compat.h"
#include "base/settings.h"
#include "keys/key_code.h"
#include "star/array_keys.h"
#include "star/early.h"
#include "star/semijoin.h"

/*
 * Fewer keys than that are as well looked up one after another: reading an
 * index for all at once saves nothing.
 */
#define FEWEST_KEYS 32

/* One condition. */
typedef struct ArrayCondition
{
	RestrictInfo *clause;
	Var		   *column;
	Node	   *array;
	Oid			operator;
	double		length;
} ArrayCondition;

/* Is clause such a condition on a plain column of fact? */
static bool
find_array(PlannerInfo *root, RelOptInfo *fact, RestrictInfo *clause,
		   ArrayCondition *found)
{
	ScalarArrayOpExpr *any = (ScalarArrayOpExpr *) clause->clause;
	SsdparJoinKey key = {.ncolumns = 1};

	if (!IsA(any, ScalarArrayOpExpr) || !any->useOr)
		return false;
	found->column = ssdpar_column_of(linitial(any->args), fact);
	found->array = lsecond(any->args);
	if (found->column == NULL ||
		(!IsA(found->array, Const) && !IsA(found->array, Param)))
		return false;
	key.operators[0] = any->opno;
	found->clause = clause;
	found->operator = any->opno;
	found->length = ssdpar_array_length(root, found->array);
	return ssdpar_key_can_be_coded(any->opno, any->inputcollid) &&
		ssdpar_key_code_is_exact(&key) &&
		restriction_is_securely_promotable(clause, fact) &&
		ssdpar_early_problem(root, found->array) == SSDPAR_ACCEPTED;
}

/* unnest(array) as an entry of the range table. */
static RangeTblEntry *
make_entry(const ArrayCondition *condition)
{
	RangeTblEntry *rte = makeNode(RangeTblEntry);
	RangeTblFunction *function = makeNode(RangeTblFunction);
	Oid			type = get_element_type(exprType(condition->array));

	function->funcexpr = (Node *)
		makeFuncExpr(F_UNNEST_ANYARRAY, type,
					 list_make1(copyObject(condition->array)), InvalidOid,
					 exprCollation(condition->array), COERCE_EXPLICIT_CALL);
	((FuncExpr *) function->funcexpr)->funcretset = true;
	function->funccolcount = 1;
	rte->rtekind = RTE_FUNCTION;
	rte->functions = list_make1(function);
	rte->eref = makeAlias("keys", list_make1(makeString(pstrdup("key"))));
	rte->inFromCl = false;
	return rte;
}

/*
 * The relation of the keys: a member, of no parent, so that whoever looks for
 * base relations passes it over.
 */
static RelOptInfo *
make_relation(PlannerInfo *root, RelOptInfo *fact,
			  const ArrayCondition *condition)
{
	RangeTblEntry *rte = make_entry(condition);
	Index		rti = root->simple_rel_array_size;
	RelOptInfo *rel;

	Assert(list_length(root->parse->rtable) == (int) rti - 1);
	root->parse->rtable = lappend(root->parse->rtable, rte);
	expand_planner_arrays(root, 1);
	root->simple_rte_array[rti] = rte;
	rel = build_simple_rel(root, rti, NULL);
	rel->reloptkind = RELOPT_OTHER_MEMBER_REL;
	rel->tuples = condition->length;
	rel->rows = clamp_row_est(condition->length);
	rel->consider_parallel = fact->consider_parallel &&
		is_parallel_safe(root, condition->array);
	rel->pathlist = list_make1(create_functionscan_path(root, rel, NIL, NULL));
	return rel;
}

static SsdparDimension *
make_dimension(PlannerInfo *root, RelOptInfo *fact,
			   const ArrayCondition *condition)
{
	SsdparDimension *dimension = palloc0_object(SsdparDimension);
	Oid			type = get_element_type(exprType(condition->array));

	dimension->rel = make_relation(root, fact, condition);
	dimension->target_vars = list_make1(copyObject(condition->column));
	dimension->key_vars = list_make1(makeVar(dimension->rel->relid, 1, type,
											 -1, InvalidOid, 0));
	dimension->operators = list_make1_oid(condition->operator);
	dimension->collations = list_make1_oid(InvalidOid);
	dimension->relids = dimension->rel->relids;
	dimension->keys = dimension->rel->rows;
	dimension->selectivity =
		clause_selectivity(root, (Node *) condition->clause, fact->relid,
						   JOIN_INNER, NULL);
	dimension->in_filter = true;
	return dimension;
}

List *
ssdpar_array_dimensions(PlannerInfo *root, RelOptInfo *fact, int most)
{
	bool		forced = ssdpar_star_access != SSDPAR_STAR_AUTO;
	List	   *dimensions = NIL;
	ListCell   *lc;

	foreach(lc, fact->baserestrictinfo)
	{
		ArrayCondition condition;

		if (list_length(dimensions) < most &&
			find_array(root, fact, lfirst_node(RestrictInfo, lc),
					   &condition) &&
			(forced || condition.length >= FEWEST_KEYS))
			dimensions = lappend(dimensions,
								 make_dimension(root, fact, &condition));
	}
	return dimensions;
}
