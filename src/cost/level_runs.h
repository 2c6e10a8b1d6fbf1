/*
 * level_runs.h
 *		Estimates how often a query level is executed within one statement.
 */
#ifndef SSDPAR_LEVEL_RUNS_H
#define SSDPAR_LEVEL_RUNS_H

#include "nodes/pathnodes.h"

/*
 * Expected executions of root's level: once for each row of the outer levels
 * that provide its values, else 1.  To be called while the level's paths are
 * made.
 */
extern double ssdpar_level_runs(PlannerInfo *root);

/*
 * To be called when planning of a statement begins or ends, because a new
 * level may have the address of a freed one.
 */
extern void ssdpar_level_runs_forget(void);

#endif							/* SSDPAR_LEVEL_RUNS_H */
