/*
 * planning.h
 *		What ssdpar remembers while one statement is being planned.
 */
#ifndef SSDPAR_PLANNING_H
#define SSDPAR_PLANNING_H

#include "nodes/params.h"
#include "nodes/plannodes.h"
#include "optimizer/planner.h"

/*
 * Plan a statement with the given planner (NULL: the standard one), with a
 * place for ssdpar's notes around it.
 */
extern PlannedStmt *ssdpar_plan_statement(planner_hook_type planner,
										  Query *parse,
										  const char *query_string,
										  int cursor_options,
										  ParamListInfo bound_params);

/*
 * Note why a star query is left to core: a constant string.  The first note
 * of a statement is kept; NULL is ignored.
 */
extern void ssdpar_note_left_to_core(const char *reason);

/* The note of the statement planned last in this session, or NULL. */
extern const char *ssdpar_left_to_core(void);

/* Note that scans were priced by the cost model, in which unit. */
extern void ssdpar_note_priced(double seconds_per_unit);

/*
 * The time that the plan made last in this session is predicted to take; 0 if
 * none of its scans was priced by the cost model.
 */
extern double ssdpar_predicted_seconds(void);

/* Note that core was offered a star scan, and whether it was. */
extern void ssdpar_note_star_offered(void);
extern bool ssdpar_star_offered(void);

/* True the first time it is asked during the planning of one statement. */
extern bool ssdpar_first_shortage(void);

#endif							/* SSDPAR_PLANNING_H */
