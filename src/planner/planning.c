/*
 * planning.c
 *		What ssdpar remembers while one statement is being planned: what has
 *		been said to the user already, and what EXPLAIN shall say.
 *
 * Planning nests (a function inlined or evaluated during planning plans
 * statements of its own), so the notes of the outer statement are put aside.
 */
#include "postgres.h"

#include "optimizer/cost.h"

#include "cost/core_costs.h"
#include "planner/planning.h"

typedef struct PlanningNotes
{
	bool		shortage_told;
	const char *left_to_core;
	double		seconds_per_unit;	/* of planner cost; 0: scans not priced */
	double		predicted_seconds;	/* of the finished statement */
	bool		star_offered;
} PlanningNotes;

static PlanningNotes notes;

PlannedStmt *
ssdpar_plan_statement(planner_hook_type planner, Query *parse,
					  const char *query_string, int cursor_options,
					  ParamListInfo bound_params)
{
	PlanningNotes outer = notes;
	PlanningNotes inner = {0};
	SsdparOuterStatement outer_costs;
	PlannedStmt *volatile result;

	ssdpar_core_costs_begin(&outer_costs);
	notes = inner;
	PG_TRY();
	{
		result = (planner ? planner : standard_planner) (parse, query_string,
														 cursor_options,
														 bound_params);
		inner = notes;
	}
	PG_FINALLY();
	{
		notes = outer;
		ssdpar_core_costs_end(&outer_costs);
	}
	PG_END_TRY();

	/* A finished statement's notes stay readable until the next one. */
	notes.left_to_core = inner.left_to_core;
	notes.predicted_seconds = result->planTree->total_cost < disable_cost ?
		result->planTree->total_cost * inner.seconds_per_unit : 0.0;
	notes.star_offered = inner.star_offered;
	return result;
}

void
ssdpar_note_left_to_core(const char *reason)
{
	if (notes.left_to_core == NULL)
		notes.left_to_core = reason;
}

const char *
ssdpar_left_to_core(void)
{
	return notes.left_to_core;
}

void
ssdpar_note_priced(double seconds_per_unit)
{
	notes.seconds_per_unit = seconds_per_unit;
}

double
ssdpar_predicted_seconds(void)
{
	return notes.predicted_seconds;
}

void
ssdpar_note_star_offered(void)
{
	notes.star_offered = true;
}

bool
ssdpar_star_offered(void)
{
	return notes.star_offered;
}

bool
ssdpar_first_shortage(void)
{
	if (notes.shortage_told)
		return false;
	notes.shortage_told = true;
	return true;
}
