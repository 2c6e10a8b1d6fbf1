/*
 * plan_statement.h
 *		Planning one statement, with ssdpar's state of it set up around.
 */
#ifndef SSDPAR_PLAN_STATEMENT_H
#define SSDPAR_PLAN_STATEMENT_H

#include "nodes/params.h"
#include "nodes/pathnodes.h"
#include "nodes/plannodes.h"
#include "optimizer/planner.h"

#include "base/planner_compat.h"

/*
 * Plan a statement with the given planner (NULL: the standard one), and a
 * second time if row counts were measured that make a difference.  Its notes
 * stay readable until the next statement is planned; page costs that ssdpar
 * changes while core makes paths are the user's again at the end, also after
 * an error.
 */
extern PlannedStmt *ssdpar_plan_statement(planner_hook_type planner,
										  SSDPAR_PLANNER_PARAMETERS);

/* Is a statement being planned by the function above? */
extern bool ssdpar_is_planning(void);

/*
 * Core has found out about a relation of the statement being planned: if that
 * is the first to matter, hooks act from here on.
 */
extern void ssdpar_statement_meets(PlannerInfo *root, RelOptInfo *rel);

#endif							/* SSDPAR_PLAN_STATEMENT_H */
