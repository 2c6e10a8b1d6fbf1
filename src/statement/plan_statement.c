/*
 * plan_statement.c
 *		Plans one statement, with ssdpar's state for it.
 *
 * Most statements gain nothing (may_gain.c) and must not be slowed down.
 * Therefore only the entry on the stack of statements is created in advance.
 * The state of all other modules is created when core has found the first
 * table that matters; until then no hook does anything.
 */
#include "postgres.h"

#include "jit/jit.h"
#include "optimizer/cost.h"

#include "base/advice.h"
#include "base/notes.h"
#include "base/rows_wanted.h"
#include "base/settings.h"
#include "cost/changed_settings.h"
#include "cost/index_look.h"
#include "cost/known_prices.h"
#include "cost/level_runs.h"
#include "cost/page_cost_override.h"
#include "cost/parallel.h"
#include "cost/reprice.h"
#include "cost/short_level.h"
#include "rowcount/loop_price.h"
#include "star/known_problems.h"
#include "statement/may_gain.h"
#include "statement/plan_statement.h"

/*
 * A statement predicted to take less than this is not compiled, because each
 * process needs a considerable time to load the compiler.
 */
#define COMPILED_SECONDS 1.0

/* The default of jit_above_cost; other values are the user's choice. */
#define DEFAULT_JIT_ABOVE_COST 100000.0

/* The outer statement's state of other modules while this one is planned. */
typedef struct OuterStatement
{
	int			settings;
	int			cursor_options;
	SsdparOuterStatement costs;
	double		tuple_cost;
	SsdparAdvice advice;
	SsdparLoopPrices loops;
	SsdparKnownProblems problems;
} OuterStatement;

/* A statement being planned, in the stack frame of its planning. */
typedef struct Statement
{
	struct Statement *outer;	/* during whose planning this one is planned */
	int			cursor_options;
	bool		armed;			/* others is set, and hooks are active */
	SsdparTablesMet met;
	SsdparNotes notes;			/* the outer one's */
	OuterStatement others;
} Statement;

static Statement *statement = NULL;

static void
arm(Statement *this)
{
	OuterStatement *outer = &this->others;

	ssdpar_core_costs_begin(&outer->costs);
	outer->tuple_cost = ssdpar_tuple_cost_begin();
	outer->settings = ssdpar_settings_begin();
	outer->cursor_options = ssdpar_cursor_options_begin(this->cursor_options);
	outer->advice = ssdpar_advice_begin();
	outer->loops = ssdpar_loop_prices_begin();
	outer->problems = ssdpar_known_problems_begin();
	ssdpar_level_runs_forget();
	ssdpar_short_levels_forget();
	ssdpar_groups_made_forget();
	ssdpar_known_prices_forget();
	ssdpar_index_looks_forget();
	this->armed = true;
}

static void
disarm(const OuterStatement *outer, bool finished)
{
	ssdpar_level_runs_forget();
	ssdpar_short_levels_forget();
	ssdpar_groups_made_forget();
	ssdpar_known_prices_forget();
	ssdpar_index_looks_forget();
	ssdpar_known_problems_end(&outer->problems);
	ssdpar_loop_prices_end(&outer->loops);
	ssdpar_advice_end(&outer->advice);

	/*
	 * discard this statement's changes, save its results, restore the outer's
	 */
	ssdpar_tuple_cost_put_back();
	ssdpar_core_costs_put_back();
	ssdpar_cursor_options_end(outer->cursor_options);
	ssdpar_settings_end(outer->settings, finished);
	ssdpar_tuple_cost_end(outer->tuple_cost);
	ssdpar_core_costs_end(&outer->costs);
}

/*
 * A statement planned within one of ours must not see that one's page costs,
 * and a plan forced by the user does not depend on sizes.
 */
static bool
is_armed_at_once(void)
{
	return ssdpar_core_costs_in_use() ||
		ssdpar_star_access != SSDPAR_STAR_AUTO || ssdpar_subqueries != 0;
}

static void
push(Statement *this, int cursor_options)
{
	this->outer = statement;
	this->cursor_options = cursor_options;
	this->armed = false;
	this->met = (SsdparTablesMet) {0};

	if (is_armed_at_once())
		arm(this);
	this->notes = ssdpar_notes_begin();
	statement = this;
}

/* EXPLAIN must not show notes of statements that its statement has planned. */
static void
pop(const Statement *this, const SsdparNotes *finished)
{
	if (this->armed)
		disarm(&this->others, finished != NULL);
	ssdpar_notes_end(&this->notes, this->outer == NULL ? finished : NULL);
	statement = this->outer;
}

bool
ssdpar_is_planning(void)
{
	return statement != NULL;
}

static void
watch(PlannerInfo *root, RelOptInfo *rel)
{
	ssdpar_advice_at_rest();
	ssdpar_watch_table(root, rel);
}

/* Tables of levels known before this one are all small. */
void
ssdpar_statement_meets(PlannerInfo *root, RelOptInfo *rel)
{
	/*
	 * CLUSTER and CREATE INDEX also look up tables, for a query without a
	 * jointree.  A function that is called while a statement is planned may
	 * execute them.
	 */
	if (statement == NULL || root->parse->jointree == NULL)
		return;
	if (!statement->armed)
	{
		if (!ssdpar_may_gain(&statement->met, root, rel))
			return;
		arm(statement);
		for (int rti = 1; rti < root->simple_rel_array_size; rti++)
		{
			RelOptInfo *before = root->simple_rel_array[rti];

			if (before != NULL && before != rel)
				watch(root, before);
		}
	}
	watch(root, rel);
}

/*
 * The cost of a disabled plan is not a time.  Since 18, disabled nodes are
 * counted instead, and the cost remains a time.
 */
static SsdparNotes
finished_notes(const PlannedStmt *statement)
{
	SsdparNotes finished = *ssdpar_notes();

	finished.predicted_seconds =
		statement->planTree->total_cost < disable_cost ?
		statement->planTree->total_cost * finished.seconds_per_unit : 0.0;
	Assert(finished.predicted_seconds <=
		   disable_cost * finished.seconds_per_unit);
	return finished;
}

/*
 * The server compiles plans that cost more than jit_above_cost.  However, most
 * of a scan's cost may be reading, which compiling does not make faster.
 */
static void
spare_compiling(PlannedStmt *planned, const SsdparNotes *finished)
{
	if (finished->predicted_seconds > 0.0 &&
		finished->predicted_seconds < COMPILED_SECONDS &&
		jit_above_cost == DEFAULT_JIT_ABOVE_COST)
		planned->jitFlags = PGJIT_NONE;
}

PlannedStmt *
ssdpar_plan_statement(planner_hook_type planner, SSDPAR_PLANNER_PARAMETERS)
{
	Statement	this;
	SsdparNotes finished;
	const SsdparNotes *volatile keep = NULL;
	PlannedStmt *volatile result;

	push(&this, cursor_options);
	PG_TRY();
	{
		result = (planner ? planner : standard_planner)
			(SSDPAR_PLANNER_ARGUMENTS(parse));

		/* otherwise this statement's page costs would price the next plan */
		Assert(!this.armed || ssdpar_core_costs_are_users(NULL));
		finished = finished_notes(result);
		if (this.armed)
			spare_compiling(result, &finished);
		else
			finished.left = ssdpar_why_no_gain(&this.met);
		keep = &finished;
	}
	PG_FINALLY();
	{
		pop(&this, keep);
	}
	PG_END_TRY();
	return result;
}
