/*
 * dimension.h
 *		Determines whether a relation can be read a second time, for its keys
 *		alone.
 */
#ifndef SSDPAR_DIMENSION_H
#define SSDPAR_DIMENSION_H

#include "nodes/pathnodes.h"

#include "star/refusal.h"

/*
 * Returns SSDPAR_ACCEPTED, or why rel cannot be read twice with the same rows.
 */
extern SsdparRefusal ssdpar_dimension_problem(PlannerInfo *root,
											  RelOptInfo *rel);

/*
 * Returns the cheapest path that can read rel as a child of a star scan, or
 * NULL.  It must not be parameterized; if parallel_safe is set, a worker can
 * run it.
 */
extern Path *ssdpar_dimension_path(RelOptInfo *rel, bool parallel_safe);

#endif							/* SSDPAR_DIMENSION_H */
