/*
 * measure_level.h
 *		Measures the row counts of a query level whose joins were searched.
 */
#ifndef SSDPAR_MEASURE_LEVEL_H
#define SSDPAR_MEASURE_LEVEL_H

#include "nodes/pathnodes.h"

/*
 * The join order of initial_rels has been searched, with rel as the result.
 * Measure if that is worth its time; what was measured changes no path of this
 * pass.
 */
extern void ssdpar_measure_level(PlannerInfo *root, RelOptInfo *rel,
								 List *initial_rels);

/* What core took for the rows of these, or -1: it has not joined them. */
extern double ssdpar_assumed_rows(PlannerInfo *root, Relids relids);

#endif							/* SSDPAR_MEASURE_LEVEL_H */
