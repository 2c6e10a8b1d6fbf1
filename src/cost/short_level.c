/*
 * short_level.c
 *		Query levels that core surely joins in a short time.
 *
 * To look at dimensions, and to compare our paths with core's, takes some
 * milliseconds.  A query of a few dozen milliseconds does not gain these back.
 * Core's plan is known only after the joins have been searched, so a plan is
 * sought here that core has, too: it reads one table, and then looks up each
 * other one by an index, always the one next that costs least.  If even this
 * plan is short, core's is.
 *
 * Such a plan takes minutes if there are more rows than estimated, and finding
 * that out is what the looks are for.  So rows are counted from above:
 *
 *		- Filters of several columns may select the same rows.  The most
 *		  selective column alone counts, and only if its values are known from
 *		  statistics and compared with constants.
 *
 *		- A key may be a common one.  Each lookup counts as one of the most
 *		  common key of the table.
 *
 * Partitions and subqueries are no exception, because a table that cannot be
 * reached in this way makes a level long.
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_statistic.h"
#include "commands/vacuum.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "utils/float.h"
#include "utils/lsyscache.h"
#include "utils/selfuncs.h"

#include "base/notes.h"
#include "base/planner_compat.h"
#include "base/rows_wanted.h"
#include "base/settings.h"
#include "cost/level_runs.h"
#include "cost/part_cost.h"
#include "cost/short_level.h"

/*
 * Seconds of a short level at the default of ssdpar.cost_model_min_size.  To
 * look at a dimension takes up to a few dozen milliseconds, and a star scan
 * rarely saves more than half of what lookups take.  If smaller tables are
 * planned by time, shorter levels are, too.
 */
#define SHORT_SECONDS 0.05

/*
 * A plan is followed up to this many times what is short.  It limits what looks
 * may take, and a LIMIT may end it early, though later than estimated.
 */
#define MOST_TIMES_FOLLOWED 10.0

/* Cost of a row in a hash join, in units of cpu_operator_cost. */
#define HASHED_OPERATORS 2.0

/* The plan, as far as it goes. */
typedef struct Chain
{
	PlannerInfo *root;
	Relids		joined;
	double		rows;			/* at most */
	double		expected;		/* rows, by core's estimates */
	Cost		cost;
} Chain;

/* A table that may be joined next. */
typedef struct Step
{
	RelOptInfo *rel;
	double		rows;			/* at most, of each row so far */
	double		expected;
	Cost		cost;			/* of all rows so far */
} Step;

/* A level that has been asked about. */
typedef struct Level
{
	PlannerInfo *root;
	Cost		most;			/* of a short one */
	bool		is_short;
	Cost		cost;			/* of core's plan at most; may be infinite */
} Level;

static Level known = {.root = NULL};

void
ssdpar_short_levels_forget(void)
{
	known.root = NULL;
}

/* The column of rel that the expression is; NULL if it is none. */
static Var *
column_of(Node *node, const RelOptInfo *rel)
{
	if (IsA(node, RelabelType))
		node = (Node *) ((RelabelType *) node)->arg;
	return IsA(node, Var) && ((Var *) node)->varno == (int) rel->relid &&
		((Var *) node)->varlevelsup == 0 && ((Var *) node)->varattno > 0 ?
		(Var *) node : NULL;
}

/*
 * The column that a condition compares with another value, which must be a
 * constant if that is asked for; NULL if it does something else.
 */
static Var *
compared_column(const RestrictInfo *condition, const RelOptInfo *rel,
				bool constant)
{
	List	   *args;
	Var		   *column;

	if (IsA(condition->clause, OpExpr))
		args = ((OpExpr *) condition->clause)->args;
	else if (IsA(condition->clause, ScalarArrayOpExpr))
		args = ((ScalarArrayOpExpr *) condition->clause)->args;
	else
		return NULL;
	if (list_length(args) != 2)
		return NULL;
	column = column_of(linitial(args), rel);
	if (column != NULL)
		return !constant || IsA(lsecond(args), Const) ? column : NULL;
	return !constant || IsA(linitial(args), Const) ?
		column_of(lsecond(args), rel) : NULL;
}

/*
 * The share of rows with the most common value, less two standard errors of
 * the sample that ANALYZE takes by default: of even keys, too, one is more
 * common in the sample than others.
 */
static double
surely_common(double frequency)
{
	double		sample = 300.0 * default_statistics_target;

	return Max(frequency - 2.0 * sqrt(frequency / sample), 0.0);
}

/*
 * How many times as many rows as a key of the column has on average its most
 * common key has; -1: there are no statistics.
 */
static double
times_more_common(PlannerInfo *root, Var *column)
{
	VariableStatData stats;
	AttStatsSlot slot;
	double		times = -1.0;
	bool		guessed;

	examine_variable(root, (Node *) column, 0, &stats);
	if (HeapTupleIsValid(stats.statsTuple))
	{
		times = 1.0;
		if (get_attstatsslot(&slot, stats.statsTuple, STATISTIC_KIND_MCV,
							 InvalidOid, ATTSTATSSLOT_NUMBERS))
		{
			if (slot.nnumbers > 0)
				times = Max(times, surely_common(slot.numbers[0]) *
							get_variable_numdistinct(&stats, &guessed));
			free_attstatsslot(&slot);
		}
	}
	ReleaseVariableStats(stats);
	return times;
}

/* The share of rel's rows that its filter selects at most. */
static double
most_share(PlannerInfo *root, RelOptInfo *rel)
{
	double		share = 1.0;
	ListCell   *lc;
	ListCell   *other;

	foreach(lc, rel->baserestrictinfo)
	{
		Var		   *column = compared_column(lfirst(lc), rel, true);
		List	   *same = NIL;

		if (column == NULL || times_more_common(root, column) < 0.0)
			continue;
		foreach(other, rel->baserestrictinfo)
		{
			Var		   *again = compared_column(lfirst(other), rel, true);

			if (again != NULL && again->varattno == column->varattno)
				same = lappend(same, lfirst(other));
		}
		share = Min(share, clauselist_selectivity(root, same, 0, JOIN_INNER,
												  NULL));
	}
	return share;
}

/* How many times as many rows as estimated pass rel's filter at most. */
static double
most_times_filtered(PlannerInfo *root, RelOptInfo *rel)
{
	return Max(rel->tuples * most_share(root, rel) / Max(rel->rows, 1.0),
			   1.0);
}

/* How many times as many rows as estimated a lookup finds at most. */
static double
most_times_found(PlannerInfo *root, RelOptInfo *rel,
				 const ParamPathInfo * parameters)
{
	double		least = -1.0;
	ListCell   *lc;

	foreach(lc, parameters->ppi_clauses)
	{
		Var		   *column = compared_column(lfirst(lc), rel, false);
		double		times = column == NULL ||
			lfirst_node(RestrictInfo, lc)->mergeopfamilies == NIL ? -1.0 :
			times_more_common(root, column);

		if (times > 0.0 && (least < 0.0 || times < least))
			least = times;
	}
	return least;
}

static bool
begin(Chain *chain, RelOptInfo *rel)
{
	Path	   *path = rel->cheapest_total_path;
	double		times;

	if (rel->rtekind != RTE_RELATION || path == NULL ||
		path->param_info != NULL || ssdpar_is_disabled_path(path))
		return false;
	times = most_times_filtered(chain->root, rel);
	chain->joined = bms_copy(rel->relids);
	chain->expected = rel->rows;
	chain->rows = rel->rows * times;
	chain->cost = path->total_cost *
		(path->pathtype == T_SeqScan ? 1.0 : times);
	return true;
}

/* Joins by this path of a table, if it depends only on what is joined. */
static bool
price_step(const Chain *chain, RelOptInfo *rel, Path *path, Step *step)
{
	const Path *all = rel->cheapest_total_path;
	double		found;

	if (path->param_info == NULL || ssdpar_is_disabled_path(path) ||
		!bms_is_subset(PATH_REQ_OUTER(path), chain->joined))
		return false;
	found = most_times_found(chain->root, rel, path->param_info);
	if (found < 0.0)
		return false;
	step->rel = rel;
	step->expected = path->rows;
	step->rows = path->rows * found * most_times_filtered(chain->root, rel);
	step->cost = chain->rows * path->total_cost * found;
	if (all != NULL && all->param_info == NULL && enable_hashjoin &&
		!ssdpar_is_disabled_path(all))
		step->cost = Min(step->cost, all->total_cost + chain->rows *
						 HASHED_OPERATORS * cpu_operator_cost);
	return true;
}

/* Joins the table that costs least; false: there is none. */
static bool
join_next(Chain *chain)
{
	PlannerInfo *root = chain->root;
	Step		best = {.rel = NULL};
	int			rti = -1;

	while ((rti = bms_next_member(root->all_baserels, rti)) >= 0)
	{
		RelOptInfo *rel = find_base_rel(root, rti);
		ListCell   *lc;

		if (bms_is_member(rti, chain->joined))
			continue;
		foreach(lc, rel->cheapest_parameterized_paths)
		{
			Step		step;

			if (price_step(chain, rel, lfirst(lc), &step) &&
				(best.rel == NULL || step.cost < best.cost))
				best = step;
		}
	}
	if (best.rel == NULL)
		return false;
	chain->joined = bms_add_members(chain->joined, best.rel->relids);
	chain->cost += best.cost;
	/* an outer join keeps rows without a partner */
	chain->rows *= root->join_info_list != NIL ? Max(best.rows, 1.0) :
		best.rows;
	chain->rows = clamp_row_est(chain->rows);
	chain->expected = clamp_row_est(chain->expected * best.expected);
	return true;
}

/* The share of the rows that a LIMIT of the level asks for. */
static double
share_wanted(const Chain *chain)
{
	double		wanted = chain->root->tuple_fraction;

	if (wanted <= 0.0 || ssdpar_all_rows_wanted(chain->root, false))
		return 1.0;
	return ssdpar_late_share(wanted < 1.0 ? wanted :
							 Min(wanted / chain->expected, 1.0));
}

/* Considers the plan that begins with the table. */
static void
try_from(Level *level, RelOptInfo *rel)
{
	Chain		chain = {.root = level->root};
	Cost		most = level->most * MOST_TIMES_FOLLOWED;

	if (!begin(&chain, rel))
		return;
	while (chain.cost <= most &&
		   !bms_equal(chain.joined, level->root->all_baserels))
		if (!join_next(&chain))
			return;
	if (chain.cost > most)
		return;
	level->cost = Min(level->cost, chain.cost);
	level->is_short = level->is_short ||
		chain.cost * share_wanted(&chain) <= level->most;
}

static Cost
most_cost(PlannerInfo *root)
{
	double		seconds = SHORT_SECONDS *
		Min((double) ssdpar_cost_model_min_size / SSDPAR_DEFAULT_MIN_SIZE,
			1.0);

	return seconds / ssdpar_notes()->seconds_per_unit /
		ssdpar_level_runs(root);
}

/* Estimates may plan other statements, which ask about levels of theirs. */
static const Level *
find_out(PlannerInfo *root)
{
	Level		level = {.root = root, .cost = get_float8_infinity()};
	int			rti = -1;

	if (known.root == root)
		return &known;

	/* a user who forces a plan gets it, however short the query is */
	if (ssdpar_star_access == SSDPAR_STAR_AUTO && ssdpar_subqueries <= 1 &&
		ssdpar_notes()->seconds_per_unit > 0.0 && ssdpar_may_loop(root))
	{
		level.most = most_cost(root);
		while (!level.is_short &&
			   (rti = bms_next_member(root->all_baserels, rti)) >= 0)
			try_from(&level, find_base_rel(root, rti));
	}
	known = level;
	return &known;
}

bool
ssdpar_level_is_short(PlannerInfo *root)
{
	return find_out(root)->is_short;
}

Cost
ssdpar_surely_joined(PlannerInfo *root)
{
	return find_out(root)->cost;
}
