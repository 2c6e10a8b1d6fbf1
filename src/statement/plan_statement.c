/*
 * plan_statement.c
 *		Planning one statement, with ssdpar's state of it set up around.
 */
#include "postgres.h"

#include "optimizer/cost.h"

#include "base/advice.h"
#include "base/notes.h"
#include "base/rows_wanted.h"
#include "cost/changed_settings.h"
#include "cost/index_look.h"
#include "cost/known_prices.h"
#include "cost/level_runs.h"
#include "cost/page_cost_override.h"
#include "cost/parallel.h"
#include "join_search/passes.h"
#include "join_search/report.h"
#include "rowcount/known_distinct.h"
#include "rowcount/known_rows.h"
#include "rowcount/loop_price.h"
#include "star/known_problems.h"
#include "statement/plan_statement.h"

/* What others have of theirs while this statement is planned. */
typedef struct OuterStatement
{
	int			settings;
	int			cursor_options;
	SsdparOuterStatement costs;
	double		tuple_cost;
	SsdparNotes notes;
	SsdparAdvice advice;
	List	   *rows;
	List	   *distinct;
	SsdparPasses *passes;
	SsdparReportInWork *report;
	SsdparLoopPrices loops;
	SsdparKnownProblems problems;
} OuterStatement;

static void
begin_statement(OuterStatement *outer, int cursor_options, bool may_measure)
{
	/* takes memory, and first: where there is none, nothing has begun */
	outer->passes = ssdpar_passes_begin(may_measure);
	ssdpar_core_costs_begin(&outer->costs);
	outer->tuple_cost = ssdpar_tuple_cost_begin();
	outer->settings = ssdpar_settings_begin();
	outer->cursor_options = ssdpar_cursor_options_begin(cursor_options);
	outer->notes = ssdpar_notes_begin();
	outer->advice = ssdpar_advice_begin();
	outer->rows = ssdpar_known_rows_begin();
	outer->distinct = ssdpar_known_distinct_begin();
	outer->report = ssdpar_report_begin();
	outer->loops = ssdpar_loop_prices_begin();
	outer->problems = ssdpar_known_problems_begin();
	ssdpar_level_runs_forget();
	ssdpar_groups_made_forget();
	ssdpar_known_prices_forget();
	ssdpar_index_looks_forget();
}

static void
end_statement(const OuterStatement *outer, const SsdparNotes *finished)
{
	ssdpar_level_runs_forget();
	ssdpar_groups_made_forget();
	ssdpar_known_prices_forget();
	ssdpar_index_looks_forget();
	ssdpar_known_problems_end(&outer->problems);
	ssdpar_loop_prices_end(&outer->loops);
	ssdpar_report_end(outer->report, finished != NULL);
	ssdpar_known_distinct_end(outer->distinct);
	ssdpar_known_rows_end(outer->rows);
	ssdpar_advice_end(&outer->advice);

	/* what EXPLAIN shows is not of statements that its own one had planned */
	ssdpar_notes_end(&outer->notes, outer->costs.planning ? NULL : finished);

	/* this statement's changes, what it found, the outer statement's */
	ssdpar_tuple_cost_put_back();
	ssdpar_core_costs_put_back();
	ssdpar_cursor_options_end(outer->cursor_options);
	ssdpar_settings_end(outer->settings, finished != NULL);
	ssdpar_tuple_cost_end(outer->tuple_cost);
	ssdpar_core_costs_end(&outer->costs);
	ssdpar_passes_end(outer->passes);
}

/* Nothing of the first pass is used but what was measured in it. */
static void
begin_again(OuterStatement *outer)
{
	ssdpar_core_costs_end(&outer->costs);
	ssdpar_core_costs_begin(&outer->costs);
	ssdpar_tuple_cost_end(outer->tuple_cost);
	outer->tuple_cost = ssdpar_tuple_cost_begin();
	ssdpar_loop_prices_end(&outer->loops);
	outer->loops = ssdpar_loop_prices_begin();
	ssdpar_known_problems_end(&outer->problems);
	outer->problems = ssdpar_known_problems_begin();
	ssdpar_advice_end(&outer->advice);
	outer->advice = ssdpar_advice_begin();
	ssdpar_notes_again();
}

/*
 * A disabled plan's cost is no time.  Since 18 it counts disabled nodes
 * instead, and its cost remains one.
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

/* As the hook's previous holder does; copy: of the query, NULL: one pass. */
static PlannedStmt *
plan_passes(planner_hook_type planner, OuterStatement *outer, Query *copy,
			SSDPAR_PLANNER_PARAMETERS)
{
	PlannedStmt *result;

	if (planner == NULL)
		planner = standard_planner;
	result = planner(SSDPAR_PLANNER_ARGUMENTS(parse));
	if (ssdpar_passes_again())
	{
		begin_again(outer);
		result = planner(SSDPAR_PLANNER_ARGUMENTS(copy));
	}
	else if (ssdpar_passes_matter())
		ssdpar_report_not_used();

	/* else this statement's page costs would price the next one's plan */
	Assert(ssdpar_core_costs_are_users(NULL));
	return result;
}

PlannedStmt *
ssdpar_plan_statement(planner_hook_type planner, SSDPAR_PLANNER_PARAMETERS)
{
	bool		may_measure = ssdpar_may_measure(parse);
	Query	   *copy = may_measure ? copyObject(parse) : NULL;
	OuterStatement outer;
	SsdparNotes finished;
	const SsdparNotes *volatile keep = NULL;
	PlannedStmt *volatile result;

	begin_statement(&outer, cursor_options, may_measure);
	PG_TRY();
	{
		result = plan_passes(planner, &outer, copy,
							 SSDPAR_PLANNER_ARGUMENTS(parse));
		finished = finished_notes(result);
		keep = &finished;
	}
	PG_FINALLY();
	{
		end_statement(&outer, keep);
	}
	PG_END_TRY();
	return result;
}
