/*
 * plan_expressions.c
 *		What a plan's expressions take: to be evaluated, and to be compiled.
 *
 * Evaluating is priced as the planner does, by cpu_operator_cost and the costs
 * of functions (cost_qual_eval), times the rows that a node is expected to look
 * at.  What is not known of a finished plan is taken from below: an index
 * scan's filter is tried on the rows that pass it.
 *
 * What would be compiled is counted as the executor makes it: an expression, a
 * key, a projection is a function each, and so is the taking apart of a table's
 * rows for one (execExpr.c, llvmjit_expr.c).  A process makes a subplan's once,
 * in however many places it is called: each partition has its copy of a filter
 * with one.
 *
 * jit.c compares the two.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_class.h"
#include "miscadmin.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "parser/parsetree.h"
#include "utils/syscache.h"

#include "statement/plan_expressions.h"

/* Taking a row apart, in operators. */
#define DEFORM_OPERATORS 2.0

/* What the places that a subplan is called in make of it. */
typedef struct SubplanCalls
{
	double		calls;			/* in all processes */
	double		shares;			/* as in Walk, where these are most */
	double		compilers;
} SubplanCalls;

typedef struct Walk
{
	const PlannedStmt *statement;
	SubplanCalls *subplans;		/* of each of the statement's */
	double		loops;			/* how often a process executes the node */
	double		shares;			/* processes, as a part of whose rows those of
								 * a node are counted */
	double		compilers;		/* processes that would compile it */
	double		rows;			/* that the expressions looked at are
								 * evaluated on, */
	double		input;			/* and the aggregates in them */
	double		subplan_cost;	/* of a call of those in them */
	SsdparPlanExpressions *found;
} Walk;

/* A subplan without parameters, or in a hash table, is executed once. */
static void
call_subplan(const Walk *walk, const SubPlan *subplan, double calls)
{
	SubplanCalls *all = &walk->subplans[subplan->plan_id - 1];
	bool		once = subplan->useHashTable || subplan->parParam == NIL;

	all->calls += (once ? 1.0 : calls) * walk->shares;
	all->shares = Max(all->shares, walk->shares);
	all->compilers = Max(all->compilers, walk->compilers);
}

/*
 * cost_qual_eval() counts a subplan in an expression with all that it executes,
 * and an aggregate not at all.
 */
static bool
visit_expression(Node *node, void *context)
{
	Walk	   *walk = context;
	QualCost	cost;

	if (node == NULL)
		return false;
	if (IsA(node, SubPlan))
	{
		walk->subplan_cost += ((SubPlan *) node)->per_call_cost;
		call_subplan(walk, (SubPlan *) node, walk->rows / walk->shares);
		return false;
	}
	if (IsA(node, Aggref))
	{
		cost_qual_eval(&cost, ((Aggref *) node)->args, NULL);
		walk->found->units += walk->input *
			(cpu_operator_cost + cost.per_tuple);
		return false;
	}
	return expression_tree_walker(node, visit_expression, context);
}

/* Expressions that are evaluated on rows, and make so many functions. */
static void
count(Walk *walk, List *expressions, double rows, int functions)
{
	Walk		inner = *walk;
	QualCost	cost;

	if (expressions == NIL)
		return;
	inner.rows = rows;
	inner.subplan_cost = 0.0;
	(void) visit_expression((Node *) expressions, &inner);
	cost_qual_eval(&cost, expressions, NULL);
	walk->found->units += rows *
		Max(cost.per_tuple - inner.subplan_cost, 0.0);
	walk->found->functions += walk->compilers * functions;
}

/* Rows that a node hands up, in all processes and loops. */
static double
rows_of(const Walk *walk, const Plan *plan)
{
	return plan == NULL ? 0.0 :
		Max(plan->plan_rows, 1.0) * walk->loops * walk->shares;
}

/* Of the statement's table, as far as the catalog knows. */
static double
table_rows(const Walk *walk, const Scan *scan)
{
	RangeTblEntry *rte = rt_fetch(scan->scanrelid, walk->statement->rtable);
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(rte->relid));
	double		rows = 0.0;

	if (HeapTupleIsValid(tuple))
	{
		rows = ((Form_pg_class) GETSTRUCT(tuple))->reltuples;
		ReleaseSysCache(tuple);
	}
	if (!scan->plan.parallel_aware)
		rows *= walk->shares;
	return rows * walk->loops;
}

/* An index's conditions are checked again where it may have lost them. */
static bool
may_recheck(const Plan *plan)
{
	return IsA(plan, IndexScan) || IsA(plan, BitmapHeapScan);
}

static bool
is_table_scan(const Plan *plan)
{
	switch (nodeTag(plan))
	{
		case T_SeqScan:
		case T_SampleScan:
		case T_IndexScan:
		case T_BitmapHeapScan:
		case T_TidScan:
		case T_TidRangeScan:
			return true;
		case T_CustomScan:
			return ((const Scan *) plan)->scanrelid > 0;
		default:
			return false;
	}
}

/* A filter is tried on every row of the table, a projection made of some. */
static void
count_table_scan(Walk *walk, const Plan *plan)
{
	double		out = rows_of(walk, plan);
	double		in = out;

	if (IsA(plan, SeqScan))
		in = Max(table_rows(walk, (const Scan *) plan), out);
	count(walk, plan->qual, in, 2);
	count(walk, plan->targetlist, out, 2);
	if (plan->qual != NIL || plan->targetlist != NIL)
		walk->found->units += in * DEFORM_OPERATORS * cpu_operator_cost;
	if (may_recheck(plan))
		walk->found->functions += 2.0 * walk->compilers;
}

/* Nested loops compare all pairs; the others few but those that match. */
static void
count_join(Walk *walk, const Plan *plan)
{
	const Join *join = (const Join *) plan;
	double		out = rows_of(walk, plan);
	double		outer = rows_of(walk, outerPlan(plan));
	double		inner = rows_of(walk, innerPlan(plan));

	if (IsA(plan, NestLoop))
		count(walk, join->joinqual,
			  outer * Max(innerPlan(plan)->plan_rows, 1.0), 1);
	else
		count(walk, join->joinqual, out, 1);
	if (IsA(plan, HashJoin))
	{
		List	   *clauses = ((const HashJoin *) plan)->hashclauses;
		int			keys = list_length(clauses);

		/* the key of each row of both sides, then the clauses */
		count(walk, clauses, out, 1 + 2 * keys);
		walk->found->units += (outer + inner) * keys * cpu_operator_cost;
	}
	if (IsA(plan, MergeJoin))
	{
		List	   *clauses = ((const MergeJoin *) plan)->mergeclauses;

		count(walk, clauses, outer + inner, 2 * list_length(clauses));
	}
	count(walk, plan->qual, out, 1);
	count(walk, plan->targetlist, out, 1);
}

/* Each row is compared with its group, and each aggregate takes it over. */
static void
count_aggregate(Walk *walk, const Agg *agg)
{
	const Plan *plan = &agg->plan;
	double		in = rows_of(walk, outerPlan(plan));
	double		out = rows_of(walk, plan);
	Walk		inner = *walk;

	inner.input = in;
	count(&inner, plan->targetlist, out, 1);
	count(&inner, plan->qual, out, 1);
	walk->found->units += in * agg->numCols * cpu_operator_cost;

	/* the transitions, and comparing with a group's row, taken apart */
	walk->found->functions += walk->compilers *
		(agg->numCols > 0 ? 3.0 : 1.0);
}

static void
count_node(Walk *walk, const Plan *plan)
{
	switch (nodeTag(plan))
	{
		case T_NestLoop:
		case T_MergeJoin:
		case T_HashJoin:
			count_join(walk, plan);
			break;
		case T_Agg:
			count_aggregate(walk, (const Agg *) plan);
			break;
		case T_Result:
		case T_ProjectSet:
		case T_SubqueryScan:
		case T_IndexOnlyScan:
		case T_WindowAgg:
			count(walk, plan->qual, rows_of(walk, plan), 1);
			count(walk, plan->targetlist, rows_of(walk, plan), 1);
			break;
		default:
			if (is_table_scan(plan))
				count_table_scan(walk, plan);
			break;
	}
}

static void visit(Walk *walk, const Plan *plan, double loops);

/*
 * Below a Gather each process executes its part, as get_parallel_divisor() in
 * costsize.c has it, and compiles everything for itself.
 */
static void
visit_gathered(Walk *walk, const Plan *plan, int workers, bool single)
{
	Walk		inner = *walk;
	double		leader = parallel_leader_participation && !single ?
		Max(1.0 - 0.3 * workers, 0.0) : 0.0;

	walk->found->workers += workers;
	inner.shares *= workers + leader;
	inner.compilers += workers;
	visit(&inner, outerPlan(plan), walk->loops);
}

static void
visit_all(Walk *walk, List *plans, double loops)
{
	ListCell   *lc;

	foreach(lc, plans)
		visit(walk, lfirst(lc), loops);
}

static void
visit_children(Walk *walk, const Plan *plan, double loops)
{
	double		inner = loops;

	switch (nodeTag(plan))
	{
		case T_Gather:
			visit_gathered(walk, plan, ((const Gather *) plan)->num_workers,
						   ((const Gather *) plan)->single_copy);
			return;
		case T_GatherMerge:
			visit_gathered(walk, plan,
						   ((const GatherMerge *) plan)->num_workers, false);
			return;
		case T_Append:
			visit_all(walk, ((const Append *) plan)->appendplans, loops);
			return;
		case T_MergeAppend:
			visit_all(walk, ((const MergeAppend *) plan)->mergeplans, loops);
			return;
		case T_SubqueryScan:
			visit(walk, ((const SubqueryScan *) plan)->subplan, loops);
			return;
		case T_CustomScan:
			/* a star scan reads its dimensions once */
			visit_all(walk, ((const CustomScan *) plan)->custom_plans, 1.0);
			return;
		case T_Material:
		case T_Sort:
		case T_Hash:
			visit(walk, outerPlan(plan), 1.0);
			return;
		case T_NestLoop:
			inner = loops * Max(outerPlan(plan)->plan_rows, 1.0);
			break;
		default:
			break;
	}
	visit(walk, outerPlan(plan), loops);
	visit(walk, innerPlan(plan), inner);
}

static void
visit(Walk *walk, const Plan *plan, double loops)
{
	Walk		here = *walk;
	ListCell   *lc;

	if (plan == NULL)
		return;
	check_stack_depth();
	here.loops = loops;
	foreach(lc, plan->initPlan)
		call_subplan(&here, lfirst_node(SubPlan, lc), 1.0);
	count_node(&here, plan);
	visit_children(&here, plan, loops);
}

/* Those that a subplan calls itself stand before it. */
static void
visit_subplans(const Walk *walk)
{
	List	   *plans = walk->statement->subplans;

	for (int i = list_length(plans) - 1; i >= 0; i--)
	{
		const SubplanCalls *all = &walk->subplans[i];
		Walk		inner = *walk;

		if (all->calls <= 0.0)
			continue;
		inner.shares = all->shares;
		inner.compilers = all->compilers;
		visit(&inner, list_nth(plans, i), all->calls / all->shares);
	}
}

SsdparPlanExpressions
ssdpar_plan_expressions(const PlannedStmt *statement)
{
	SsdparPlanExpressions found = {0};
	Walk		walk = {
		.statement = statement,
		.subplans = palloc0(list_length(statement->subplans) *
							sizeof(SubplanCalls)),
		.shares = 1.0,
		.compilers = 1.0,
		.found = &found,
	};

	visit(&walk, statement->planTree, 1.0);
	visit_subplans(&walk);
	return found;
}
