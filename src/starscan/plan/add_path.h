/*
 * add_path.h
 *		Adds star scans to the paths of their table.
 */
#ifndef SSDPAR_ADD_PATH_H
#define SSDPAR_ADD_PATH_H

#include "nodes/pathnodes.h"

/* A path's cost including its rows in the joins above; lower is better. */
extern Cost ssdpar_cost_with_joins(Cost total_cost, double rows);

/*
 * Adds path, which is unparameterized, to rel's paths or partial paths.  The
 * caller must call set_cheapest() afterwards.
 */
extern void ssdpar_add_path(RelOptInfo *rel, Path *path);
extern void ssdpar_add_partial_path(RelOptInfo *rel, Path *path);

#endif							/* SSDPAR_ADD_PATH_H */
