/*
 * level_runs.h
 *		How often a query level is executed within one statement.
 */
#ifndef SSDPAR_LEVEL_RUNS_H
#define SSDPAR_LEVEL_RUNS_H

#include "nodes/pathnodes.h"

/*
 * Executions of root's level that are expected: once for each row of the outer
 * levels that it takes values from, else 1.  To be asked while the level's
 * paths are made.
 */
extern double ssdpar_level_runs(PlannerInfo *root);

/* Planning a statement begins or ends: a level may be at another's address. */
extern void ssdpar_level_runs_forget(void);

#endif							/* SSDPAR_LEVEL_RUNS_H */
