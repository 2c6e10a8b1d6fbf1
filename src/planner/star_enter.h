/*
 * star_enter.h
 *		Putting star scans among the paths of their table.
 */
#ifndef SSDPAR_STAR_ENTER_H
#define SSDPAR_STAR_ENTER_H

#include "nodes/pathnodes.h"

/* A path's cost with that of its rows in the joins above; lower is better. */
extern double ssdpar_star_score(double total_cost, double rows);

/*
 * Enter path, unparameterised, in rel's paths, or partial paths.  The caller
 * owes a set_cheapest().
 */
extern void ssdpar_enter_path(RelOptInfo *rel, Path *path);
extern void ssdpar_enter_partial_path(RelOptInfo *rel, Path *path);

#endif							/* SSDPAR_STAR_ENTER_H */
