/*
 * dimension.h
 *		Whether a relation can be read a second time, for its keys alone.
 */
#ifndef SSDPAR_DIMENSION_H
#define SSDPAR_DIMENSION_H

#include "nodes/pathnodes.h"

#include "star/refusal.h"

/*
 * SSDPAR_ACCEPTED, or why rel cannot be read twice with the same rows.
 */
extern SsdparRefusal ssdpar_dimension_problem(PlannerInfo *root,
											  RelOptInfo *rel);

/*
 * The cheapest way to read rel as a child of a star scan, or NULL: needs
 * nothing of other relations; with parallel_safe, can run in a worker.
 */
extern Path *ssdpar_dimension_path(RelOptInfo *rel, bool parallel_safe);

#endif							/* SSDPAR_DIMENSION_H */
