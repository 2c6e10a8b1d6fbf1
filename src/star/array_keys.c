/*
 * array_keys.c
 *		Treats arrays of keys in a fact's filter as dimensions.
 *
 * A condition "column = ANY (array)" with thousands of keys typically replaces
 * a join whose other side was read earlier, either by another server that
 * sends the keys (shards/) or by an application.  Core looks up one key after
 * another in an index, or evaluates the filter for each row.  A star scan can
 * use these keys like keys that it has read from a dimension.
 *
 * Therefore we represent the array as a relation, unnest(array), with a single
 * column and a function scan as its path.  It is one of the query level's
 * relations, because plans refer to relations by number.  However, it is not a
 * base relation, so core does not join it with anything.
 *
 * It is correct to drop rows by these keys, because the condition belongs to
 * the table's own filter.  A row whose column is not among the keys does not
 * pass the filter, and the filter is still evaluated for all remaining rows.
 * The keys can be tested early, as page_filters.c explains, because they are
 * integers: the test calls no user-defined function and cannot fail.  The
 * array is a constant or a parameter, so it is the same for all rows.
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
 * With fewer keys, one lookup after another is as fast, because reading the
 * index for all keys at once saves nothing.
 */
#define FEWEST_KEYS 32

/* A condition "column = ANY (array)".  */
typedef struct ArrayCondition
{
	RestrictInfo *clause;
	Var		   *column;
	Node	   *array;
	Oid			operator;
	double		length;
} ArrayCondition;

/* Is clause such a condition on a plain column of fact?  */
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

/* Creates a range table entry for unnest(array).  */
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
 * Creates the relation for the keys.  It is an "other member" relation without
 * a parent, so code that looks for base relations skips it.
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
