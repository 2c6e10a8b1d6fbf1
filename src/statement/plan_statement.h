/*
 * plan_statement.h
 *		Plans one statement, with ssdpar's state for it.
 */
#ifndef SSDPAR_PLAN_STATEMENT_H
#define SSDPAR_PLAN_STATEMENT_H

#include "nodes/params.h"
#include "nodes/pathnodes.h"
#include "nodes/plannodes.h"
#include "optimizer/planner.h"

#include "base/planner_compat.h"

/*
 * Plans a statement with the given planner (NULL: the standard one).  Its
 * notes remain readable until the next statement is planned.  Page costs that
 * ssdpar changes while core creates paths are restored at the end, also after
 * an error.
 */
extern PlannedStmt *ssdpar_plan_statement(planner_hook_type planner,
										  SSDPAR_PLANNER_PARAMETERS);

/* Is a statement being planned by the function above? */
extern bool ssdpar_is_planning(void);

/*
 * Core has examined a relation of the statement being planned.  If it is the
 * first that matters, hooks are active from now on.
 */
extern void ssdpar_statement_meets(PlannerInfo *root, RelOptInfo *rel);

#endif							/* SSDPAR_PLAN_STATEMENT_H */
