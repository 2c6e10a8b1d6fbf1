/*
 * plan_statement.c
 *		Planning one statement, with ssdpar's state of it set up around.
 */
#include "postgres.h"

#include "optimizer/cost.h"

#include "base/notes.h"
#include "cost/page_cost_override.h"
#include "rowcount/known_rows.h"
#include "rowcount/loop_price.h"
#include "statement/jit.h"
#include "statement/plan_statement.h"

PlannedStmt *
ssdpar_plan_statement(planner_hook_type planner, Query *parse,
					  const char *query_string, int cursor_options,
					  ParamListInfo bound_params)
{
	SsdparOuterStatement outer_costs;
	SsdparNotes outer;
	List	   *outer_rows;
	SsdparLoopPrices outer_loops;
	SsdparNotes finished;
	const SsdparNotes *volatile keep = NULL;
	PlannedStmt *volatile result;

	ssdpar_core_costs_begin(&outer_costs);
	outer = ssdpar_notes_begin();
	outer_rows = ssdpar_known_rows_begin();
	outer_loops = ssdpar_loop_prices_begin();
	PG_TRY();
	{
		result = (planner ? planner : standard_planner) (parse, query_string,
														 cursor_options,
														 bound_params);

		/* else this statement's page costs would price the next one's plan */
		Assert(ssdpar_core_costs_are_users(NULL));
		finished = *ssdpar_notes();

		/*
		 * A disabled plan's cost is no time.  Since 18 it counts disabled
		 * nodes instead, and its cost remains one.
		 */
		finished.predicted_seconds =
			result->planTree->total_cost < disable_cost ?
			result->planTree->total_cost * finished.seconds_per_unit : 0.0;
		Assert(finished.predicted_seconds <=
			   disable_cost * finished.seconds_per_unit);
		ssdpar_decide_jit(result, &finished);
		keep = &finished;
	}
	PG_FINALLY();
	{
		ssdpar_loop_prices_end(&outer_loops);
		ssdpar_known_rows_end(outer_rows);
		ssdpar_notes_end(&outer, keep);
		ssdpar_core_costs_end(&outer_costs);
	}
	PG_END_TRY();
	return result;
}
