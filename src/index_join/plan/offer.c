/*
 * offer.c
 *		Decides which joins may be index joins, and adds paths for them.
 *
 * A join qualifies if core could implement it as a nested loop over an index
 * scan of the inner table.  We read outer rows ahead of need, so the outer
 * path must have no side effects and raise no errors (star/repeatable.c).  We
 * leave these cases to core:
 *
 *		modified or locked rows		their newest versions are rechecked
 *		volatile conditions			they might be evaluated more often
 *		conditions with subqueries	they are planned for core's own joins
 *		security barriers			they impose an order on conditions
 *		parameters of other joins	a batch has many values of them
 *		inner sides other than plain tables and partitions
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "nodes/extensible.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"

#include "base/advice.h"
#include "base/core_scan.h"
#include "base/notes.h"
#include "base/plain_table.h"
#include "base/planner_compat.h"
#include "base/rows_wanted.h"
#include "base/settings.h"
#include "cost/parallel.h"
#include "cost/short_level.h"
#include "custom_scan/names.h"
#include "index_join/plan/index_choice.h"
#include "index_join/plan/offer.h"
#include "index_join/plan/path.h"
#include "star/repeatable.h"

/* Reasons complete "ssdpar Index Join Not Used:" and are not translated. */
#define SHORT "core is predicted to join the tables in a short time"
#define MORE_TIME "another join is predicted to take less time"
#define NOT_AHEAD "outer rows cannot be taken ahead of need"
#define TOO_WIDE "outer rows have too many columns to be kept"

/*
 * The query and its relations.
 */

static bool
is_known_type(JoinType type)
{
	return type == JOIN_INNER || type == JOIN_LEFT || type == JOIN_SEMI ||
		type == JOIN_ANTI;
}

/*
 * Returns the reason why a statement cannot have index joins, or NULL.  If a
 * user forces subqueries, an index join must not win over them by cost.
 */
static const char *
statement_refusal(const PlannerInfo *root)
{
	if (root->parse->commandType != CMD_SELECT)
		return "the query changes rows";
	if (root->rowMarks != NIL || root->parse->rowMarks != NIL)
		return "the query locks rows";
	if (root->qual_security_level > 0)
		return "a security barrier orders the conditions";
	if (ssdpar_subqueries > 1)
		return "subqueries are asked for";
	return NULL;
}

/* If no scan has been priced, there is no profile or no large table. */
static bool
are_expected(void)
{
	return ssdpar_index_join && ssdpar_cost_model &&
		ssdpar_notes()->seconds_per_unit > 0.0;
}

bool
ssdpar_index_joins_allowed(const PlannerInfo *root)
{
	return are_expected() && statement_refusal(root) == NULL;
}

/* Does the target list have nothing but columns of the table? */
static bool
has_plain_columns(const RelOptInfo *rel)
{
	ListCell   *lc;

	foreach(lc, rel->reltarget->exprs)
		if (!IsA(lfirst(lc), Var) || ((Var *) lfirst(lc))->varattno <= 0)
			return false;
	return true;
}

static bool
is_inner_table(PlannerInfo *root, const RelOptInfo *rel)
{
	return rel->reloptkind == RELOPT_BASEREL && rel->indexlist != NIL &&
		rel->pages > 0 && ssdpar_is_plain_table(root, rel) &&
		bms_is_empty(rel->lateral_relids) && has_plain_columns(rel) &&
		ssdpar_has_core_scan(rel) &&
		ssdpar_is_heap(root, rel);
}

/* Has the user forced star scans, and is this the fact of one? */
static bool
must_be_star_scan(const RelOptInfo *rel)
{
	const Path *path = rel->cheapest_total_path;
	const char *name;

	if (ssdpar_star_access == SSDPAR_STAR_AUTO || path == NULL ||
		!IsA(path, CustomPath))
		return false;
	name = ((const CustomPath *) path)->methods->CustomName;
	return strcmp(name, SSDPAR_STAR_SCAN) == 0 ||
		strcmp(name, SSDPAR_STAR_KEYS) == 0;
}

/* Only core can place PlaceHolderVars, subqueries and whole rows. */
static bool
is_strange_node(Node *node, void *context)
{
	if (node == NULL)
		return false;
	if (IsA(node, PlaceHolderVar) || IsA(node, SubPlan) ||
		IsA(node, AlternativeSubPlan) ||
		(IsA(node, Var) && ((Var *) node)->varattno <= 0))
		return true;
	return expression_tree_walker(node, is_strange_node, context);
}

/* Passes the RestrictInfo, because core caches its volatility there. */
static bool
are_plain_conditions(List *clauses)
{
	ListCell   *lc;

	foreach(lc, clauses)
	{
		RestrictInfo *clause = lfirst_node(RestrictInfo, lc);

		if (clause->pseudoconstant || clause->security_level > 0 ||
			is_strange_node((Node *) clause->clause, NULL) ||
			contain_volatile_functions((Node *) clause))
			return false;
	}
	return true;
}

/*
 * Paths.
 */

/* We read outer rows ahead of need, so the outer path must allow that. */
static void
add_join(const SsdparJoinCandidate *candidate, SsdparJoinPrices *prices,
		 Path *outer, bool partial)
{
	RelOptInfo *joinrel = candidate->joinrel;
	double		rows = joinrel->rows;
	SsdparJoinCost cost;
	Path	   *path;

	if (partial)
		rows = clamp_row_est(rows /
							 ssdpar_parallel_divisor(outer->parallel_workers));

	/* cheap checks first */
	cost = ssdpar_join_least(candidate, prices, outer, rows);
	if (outer->param_info != NULL ||
		!ssdpar_path_precheck(joinrel, cost.startup, cost.total, outer,
							  partial))
	{
		ssdpar_note_index_join_refused(MORE_TIME);
		return;
	}
	cost = ssdpar_join_cost(candidate, prices, outer, rows);
	if (!ssdpar_path_precheck(joinrel, cost.startup, cost.total, outer,
							  partial))
	{
		ssdpar_note_index_join_refused(MORE_TIME);
		return;
	}
	if (ssdpar_side_repeatable(candidate->root, outer) != SSDPAR_ACCEPTED)
	{
		ssdpar_note_index_join_refused(NOT_AHEAD);
		return;
	}

	/* a join may have more columns than a stored row can have */
	if (list_length(outer->pathtarget->exprs) > MaxTupleAttributeNumber)
	{
		ssdpar_note_index_join_refused(TOO_WIDE);
		return;
	}
	ssdpar_note_index_join_offered();
	path = ssdpar_make_index_join_path(candidate, outer, rows, &cost);
	if (partial)
		add_partial_path(joinrel, path);
	else
		add_path(joinrel, path);
}

static void
add_joins(const SsdparJoinCandidate *candidate)
{
	RelOptInfo *outer = candidate->outer;
	RelOptInfo *joinrel = candidate->joinrel;
	SsdparJoinPrices prices;
	ListCell   *lc;

	if (!ssdpar_join_prices(candidate, &prices))
		return;
	foreach(lc, outer->pathlist)
		add_join(candidate, &prices, lfirst(lc), false);
	if (!joinrel->consider_parallel || !candidate->inner->consider_parallel ||
		!bms_is_empty(joinrel->lateral_relids))
		return;
	foreach(lc, outer->partial_pathlist)
		add_join(candidate, &prices, lfirst(lc), true);
}

/* Does core have a parameterized path for the inner side? */
static bool
loops_by_index(const RelOptInfo *inner, const RelOptInfo *outer)
{
	ListCell   *lc;

	foreach(lc, inner->cheapest_parameterized_paths)
		if (bms_overlap(PATH_REQ_OUTER((Path *) lfirst(lc)), outer->relids))
			return true;
	return false;
}

/*
 * Returns the reason why these two cannot be joined by an index, or NULL.
 * Whether a suitable index exists is checked later.
 */
static const char *
pair_refusal(const SsdparJoinCandidate *candidate,
			 const JoinPathExtraData *extra)
{
	PlannerInfo *root = candidate->root;
	const char *statement = statement_refusal(root);

	if (statement != NULL)
		return statement;
	if (!is_known_type(candidate->type))
		return "a join of this type is core's";
	if (must_be_star_scan(candidate->inner))
		return "a star scan is asked for";
	if (!is_inner_table(root, candidate->inner))
		return "the inner side is no plain table, or is wanted as whole rows";
	if (is_strange_node((Node *) candidate->joinrel->reltarget->exprs, NULL) ||
		!are_plain_conditions(extra->restrictlist) ||
		!are_plain_conditions(candidate->inner->baserestrictinfo))
		return "a condition or column is volatile, a subquery or a whole row";
	return NULL;
}

void
ssdpar_offer_index_joins(PlannerInfo *root, RelOptInfo *joinrel,
						 RelOptInfo *outer, RelOptInfo *inner,
						 JoinType type, JoinPathExtraData *extra)
{
	SsdparJoinCandidate candidate = {
		.root = root,
		.joinrel = joinrel,
		.outer = outer,
		.inner = inner,
		.type = type,
		.single_match = extra->inner_unique || type == JOIN_SEMI ||
			type == JOIN_ANTI,
		.restrictlist = extra->restrictlist,
		.all_wanted = ssdpar_all_rows_wanted(root, true),
		.all_unordered_wanted = ssdpar_all_rows_wanted(root, false),
	};
	SsdparWorkSpan work;
	const char *refusal;

	if (!are_expected() || !ssdpar_may_loop_by_index(extra, inner) ||
		ssdpar_scan_is_advised(root, inner))
		return;
	refusal = ssdpar_level_is_short(root) ? SHORT :
		pair_refusal(&candidate, extra);
	if (refusal == NULL && !ssdpar_choose_join_index(&candidate, outer))
		refusal = "no btree is searched by values of the outer side";
	if (refusal == NULL)
	{
		ssdpar_note_work_begin(&work);
		add_joins(&candidate);
		ssdpar_note_work_end(&work, SSDPAR_WORK_INDEX_JOINS);
	}
	else if (loops_by_index(inner, outer))
		ssdpar_note_index_join_refused(refusal);
}
