/*
 * early.c
 *		Determines whether an expression may be evaluated earlier than in
 *		core's plan, before it is certain that core would evaluate it, and
 *		again later.
 *
 * Its value must not change within a statement, so it must contain nothing
 * volatile.  It must not raise an error either, because core might never have
 * evaluated it.  Only known kinds of nodes are accepted.  Domains are refused,
 * because their CHECK constraints raise errors, may be volatile, and are not
 * examined by core's own checks.
 *
 * The value of an InitPlan, a subquery that does not depend on any row, is
 * computed once and kept, so it does not change.  However, it is computed on
 * first use, so everything that the subquery evaluates must pass the same
 * tests.  One error is accepted: that such a subquery returns more than one
 * row.  Core itself raises it equally early in a parallel plan, where Gather
 * evaluates the InitPlans before it starts workers.  We check the expressions
 * of the subquery's Query as the planner left it, because any plan is made
 * from them.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/tlist.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "star/early.h"
#include "star/error_free.h"
#include "star/known_problems.h"

typedef struct Search
{
	PlannerInfo *root;
	bool		once;			/* within an InitPlan, which runs once */
	SsdparRefusal problem;
} Search;

static bool find_problem(Node *node, void *context);
static bool find_in_query(Search *search, PlannerInfo *subroot);

/*
 * Sets the problem; always returns true, so that callers can return its
 * result.
 */
static bool
refuse(Search *search, SsdparRefusal problem)
{
	search->problem = problem;
	return true;
}

/*
 * A volatile function is reported as such even if it can also raise an error,
 * because volatility is what the user can change.
 */
static bool
find_in_call(Search *search, Oid function, List *args, Oid collation)
{
	if (ssdpar_call_is_error_free(function, args, collation))
		return func_volatile(function) == PROVOLATILE_VOLATILE &&
			refuse(search, SSDPAR_REFUSED_DIMENSION_VOLATILE);
	return refuse(search, func_volatile(function) == PROVOLATILE_VOLATILE ?
				  SSDPAR_REFUSED_DIMENSION_VOLATILE : SSDPAR_REFUSED_CAN_RAISE);
}

static bool
find_in_operator(Search *search, OpExpr *expr)
{
	set_opfuncid(expr);
	return find_in_call(search, expr->opfuncid, expr->args,
						expr->inputcollid);
}

/*
 * The operator is called with the array's elements, which are not known.  So
 * we pass only the left argument, and functions that need a constant on the
 * right are refused.  Long arrays are hashed by a function of the operator
 * class.
 */
static bool
find_in_array_operator(Search *search, ScalarArrayOpExpr * expr)
{
	set_sa_opfuncid(expr);
	if (OidIsValid(expr->hashfuncid) &&
		!ssdpar_support_is_error_free(expr->hashfuncid))
		return refuse(search, SSDPAR_REFUSED_CAN_RAISE);
	return find_in_call(search, expr->opfuncid,
						list_make1(linitial(expr->args)),
						expr->inputcollid);
}

/*
 * (a, b) < (c, d) calls the operator class's comparison function for each
 * pair, not the function of the operator in the expression, so we check both.
 */
static bool
find_in_row_comparison(Search *search, RowCompareExpr * expr)
{
	ListCell   *lc;

	foreach(lc, expr->largs)
	{
		Oid			collation = list_nth_oid(expr->inputcollids,
											 foreach_current_index(lc));

		if (!ssdpar_sorting_is_error_free(exprType(lfirst(lc)), collation))
			return refuse(search, SSDPAR_REFUSED_CAN_RAISE);
	}
	foreach(lc, expr->opnos)
		if (!ssdpar_call_is_error_free(get_opcode(lfirst_oid(lc)), expr->largs,
									   list_nth_oid(expr->inputcollids,
													foreach_current_index(lc))))
			return refuse(search, SSDPAR_REFUSED_CAN_RAISE);
	return false;
}

/*
 * Accepts integers cast to text.  Other casts through text may fail to parse
 * it, and the output of many types depends on settings (DateStyle,
 * extra_float_digits).
 */
static bool
is_harmless_cast(CoerceViaIO * cast)
{
	Oid			from = exprType((Node *) cast->arg);

	return (cast->resulttype == TEXTOID || cast->resulttype == VARCHAROID) &&
		(from == INT2OID || from == INT4OID || from == INT8OID);
}

/*
 * Is this one of the forms of the transaction's time?  The remaining SQL value
 * functions name the user, database or schema and look them up in the
 * catalogs, where they may have been dropped meanwhile.
 */
static bool
is_clock_value(SQLValueFunction * function)
{
	return function->op <= SVFOP_LOCALTIMESTAMP_N;
}

/*
 * Returns the InitPlan that sets param, in this query level or an outer one;
 * NULL if param is a value passed by the outer query.
 */
static SubPlan *
init_plan_of(PlannerInfo *root, Param * param)
{
	ListCell   *lc;

	for (; root != NULL; root = root->parent_root)
		foreach(lc, root->init_plans)
		{
			SubPlan    *plan = lfirst_node(SubPlan, lc);

			if (list_member_int(plan->setParam, param->paramid))
				return plan;
		}
	return NULL;
}

/* Subarrays combined into one array must have the same dimensions.  */
static bool
is_array_of_arrays(const SubPlan *plan)
{
	return plan->subLinkType == ARRAY_SUBLINK &&
		type_is_array(plan->firstColType);
}

static bool
find_in_param(Search *search, Param * param)
{
	SubPlan    *plan;

	if (param->paramkind == PARAM_EXTERN)
		return false;
	if (param->paramkind != PARAM_EXEC)
		return refuse(search, SSDPAR_REFUSED_SUBPLAN);
	plan = init_plan_of(search->root, param);

	/* the outer query sets its value before this query starts */
	if (plan == NULL)
		return false;
	if (plan->subLinkType != EXPR_SUBLINK &&
		plan->subLinkType != EXISTS_SUBLINK &&
		plan->subLinkType != ARRAY_SUBLINK)
		return refuse(search, SSDPAR_REFUSED_SUBPLAN);
	if (is_array_of_arrays(plan))
		return refuse(search, SSDPAR_REFUSED_CAN_RAISE);
	return find_in_query(search, list_nth(search->root->glob->subroots,
										  plan->plan_id - 1));
}

static bool
find_in_greatest(Search *search, MinMaxExpr * expr)
{
	return !ssdpar_sorting_is_error_free(expr->minmaxtype,
										 expr->inputcollid) &&
		refuse(search, SSDPAR_REFUSED_CAN_RAISE);
}

/*
 * Outside an InitPlan, the expression belongs to a dimension's rows, where no
 * aggregate can be computed early.  DISTINCT and ORDER BY in the aggregate
 * sort.
 */
static bool
find_in_aggregate(Search *search, Aggref * aggregate)
{
	ListCell   *lc;

	if (!search->once ||
		!ssdpar_aggregate_is_error_free(aggregate->aggfnoid, aggregate->args,
										aggregate->inputcollid))
		return refuse(search, SSDPAR_REFUSED_CAN_RAISE);
	if (aggregate->aggorder != NIL || aggregate->aggdistinct != NIL)
		foreach(lc, aggregate->args)
		{
			TargetEntry *entry = lfirst_node(TargetEntry, lc);

			if (!ssdpar_grouping_is_error_free((Node *) entry->expr))
				return refuse(search, SSDPAR_REFUSED_CAN_RAISE);
		}
	return false;
}

/*
 * Does this node call no function itself, whatever its children do?
 * ArrayCoerceExpr calls one, but the walker visits it as a separate
 * expression.
 */
static bool
calls_nothing(Node *node)
{
	switch (nodeTag(node))
	{
		case T_Var:
		case T_Const:
		case T_CaseExpr:
		case T_CaseWhen:
		case T_CaseTestExpr:
		case T_CoalesceExpr:
		case T_RelabelType:
		case T_ArrayCoerceExpr:
		case T_BoolExpr:
		case T_NullTest:
		case T_BooleanTest:
		case T_RowExpr:
		case T_PlaceHolderVar:
		case T_TargetEntry:
		case T_List:
		case T_FromExpr:
		case T_JoinExpr:
		case T_RangeTblRef:
			return true;
		default:
			return false;
	}
}

/*
 * Does this node itself, without its children, fail the test?  Unknown nodes
 * do.
 */
static bool
find_in_node(Search *search, Node *node)
{
	if (calls_nothing(node))
		return false;
	switch (nodeTag(node))
	{
		case T_Param:
			return find_in_param(search, (Param *) node);
		case T_FuncExpr:
			return ((FuncExpr *) node)->funcretset ?
				refuse(search, SSDPAR_REFUSED_CAN_RAISE) :
				find_in_call(search, ((FuncExpr *) node)->funcid,
							 ((FuncExpr *) node)->args,
							 ((FuncExpr *) node)->inputcollid);
		case T_OpExpr:
		case T_DistinctExpr:
		case T_NullIfExpr:
			return find_in_operator(search, (OpExpr *) node);
		case T_ScalarArrayOpExpr:
			return find_in_array_operator(search, (ScalarArrayOpExpr *) node);
		case T_RowCompareExpr:
			return find_in_row_comparison(search, (RowCompareExpr *) node);
		case T_MinMaxExpr:
			return find_in_greatest(search, (MinMaxExpr *) node);
		case T_ArrayExpr:
			return ((ArrayExpr *) node)->multidims &&
				refuse(search, SSDPAR_REFUSED_CAN_RAISE);
		case T_CoerceViaIO:
			return !is_harmless_cast((CoerceViaIO *) node) &&
				refuse(search, SSDPAR_REFUSED_CAN_RAISE);
		case T_SQLValueFunction:
			return !is_clock_value((SQLValueFunction *) node) &&
				refuse(search, SSDPAR_REFUSED_CAN_RAISE);
		case T_Aggref:
			return find_in_aggregate(search, (Aggref *) node);
		case T_SubPlan:
		case T_AlternativeSubPlan:
		case T_SubLink:
			return refuse(search, SSDPAR_REFUSED_SUBPLAN);
		case T_NextValueExpr:
			return refuse(search, SSDPAR_REFUSED_DIMENSION_VOLATILE);
		default:
			return refuse(search, SSDPAR_REFUSED_CAN_RAISE);
	}
}

static bool
find_problem(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, RestrictInfo))
		return find_problem((Node *) ((RestrictInfo *) node)->clause, context);
	return find_in_node(context, node) ||
		expression_tree_walker(node, find_problem, context);
}

/*
 * InitPlans.
 */

/*
 * Accepts queries that do not modify or lock rows and have only parts that are
 * checked here.
 */
static bool
is_simple_query(Query *query)
{
	return query->commandType == CMD_SELECT && query->rowMarks == NIL &&
		query->cteList == NIL && query->groupingSets == NIL &&
		query->setOperations == NULL && !query->hasWindowFuncs &&
		!query->hasTargetSRFs;
}

/* Grouping, sorting and removing duplicates compare their expressions.  */
static bool
find_in_grouping(Search *search, Query *query, List *clauses)
{
	ListCell   *lc;

	foreach(lc, clauses)
	{
		Node	   *expr = get_sortgroupclause_expr(lfirst(lc),
													query->targetList);

		if (!ssdpar_grouping_is_error_free(expr))
			return refuse(search, SSDPAR_REFUSED_CAN_RAISE);
	}
	return false;
}

/*
 * Checks a relation that the planner reads.  The relations of pulled-up
 * subqueries are among them.
 */
static bool
find_in_relation(Search *search, PlannerInfo *subroot, int rti)
{
	RelOptInfo *rel = subroot->simple_rel_array[rti];
	RangeTblEntry *rte = subroot->simple_rte_array[rti];

	if (rel == NULL)
		return false;
	if (find_problem((Node *) rel->baserestrictinfo, search) ||
		find_problem((Node *) rte->securityQuals, search))
		return true;
	switch (rte->rtekind)
	{
		case RTE_RELATION:
			return (rte->tablesample != NULL ||
					rte->relkind == RELKIND_FOREIGN_TABLE) &&
				refuse(search, SSDPAR_REFUSED_SUBPLAN);
		case RTE_SUBQUERY:
			return rel->subroot == NULL ?
				!IS_DUMMY_REL(rel) && refuse(search, SSDPAR_REFUSED_SUBPLAN) :
				find_in_query(search, rel->subroot);
		case RTE_VALUES:
			return find_problem((Node *) rte->values_lists, search);
		case RTE_RESULT:
			return false;
		default:
			return refuse(search, SSDPAR_REFUSED_SUBPLAN);
	}
}

/*
 * LIMIT and OFFSET are evaluated before the first row is fetched; negative
 * values raise an error.
 */
static bool
find_in_limit(Search *search, Node *limit)
{
	const		Const *rows = (const Const *) limit;

	if (limit == NULL ||
		(IsA(limit, Const) && (rows->constisnull ||
							   DatumGetInt64(rows->constvalue) >= 0)))
		return false;
	return refuse(search, SSDPAR_REFUSED_CAN_RAISE);
}

/* Checks everything that any plan of this query may evaluate.  */
static bool
find_in_clauses(Search *search, Query *query)
{
	return find_problem((Node *) query->targetList, search) ||
		find_problem((Node *) query->jointree, search) ||
		find_problem(query->havingQual, search) ||
		find_in_limit(search, query->limitOffset) ||
		find_in_limit(search, query->limitCount) ||
		find_in_grouping(search, query, query->groupClause) ||
		find_in_grouping(search, query, query->distinctClause) ||
		find_in_grouping(search, query, query->sortClause);
}

static bool
find_in_query(Search *search, PlannerInfo *subroot)
{
	/* parameters are looked up from the root where they are used */
	Search		inner = {subroot, true, SSDPAR_ACCEPTED};
	bool		found = !is_simple_query(subroot->parse) &&
		refuse(&inner, SSDPAR_REFUSED_SUBPLAN);

	check_stack_depth();
	found = found || find_in_clauses(&inner, subroot->parse);
	for (int rti = 1; !found && rti < subroot->simple_rel_array_size; rti++)
		found = find_in_relation(&inner, subroot, rti);
	search->problem = inner.problem;
	return found;
}

static SsdparRefusal
expression_problem(PlannerInfo *root, Node *expr)
{
	Search		search = {root, false, SSDPAR_ACCEPTED};

	(void) find_problem(expr, &search);
	return search.problem;
}

/*
 * Keeps the answer, because all scans of a table, or all joins that use the
 * condition, contain it.
 */
static SsdparRefusal
condition_problem(PlannerInfo *root, RestrictInfo *condition)
{
	SsdparRefusal problem;

	if (ssdpar_known_problem(condition, &problem))
		return problem;
	problem = expression_problem(root, (Node *) condition);
	ssdpar_keep_problem(root, condition, problem);
	return problem;
}

SsdparRefusal
ssdpar_early_problem(PlannerInfo *root, Node *expr)
{
	SsdparRefusal problem = SSDPAR_ACCEPTED;
	ListCell   *lc;

	if (expr == NULL || !IsA(expr, List))
		return expression_problem(root, expr);
	foreach(lc, (List *) expr)
	{
		Node	   *part = lfirst(lc);

		problem = part != NULL && IsA(part, RestrictInfo) ?
			condition_problem(root, (RestrictInfo *) part) :
			expression_problem(root, part);
		if (problem != SSDPAR_ACCEPTED)
			break;
	}
	return problem;
}
