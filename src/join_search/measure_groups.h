/*
 * measure_groups.h
 *		Measures the distinct values of what a query level groups by.
 */
#ifndef SSDPAR_MEASURE_GROUPS_H
#define SSDPAR_MEASURE_GROUPS_H

#include "nodes/pathnodes.h"

/*
 * final has all paths of a query level, from the scans to LIMIT.  Measure if
 * that is worth its time; what was measured changes no path of this pass.
 */
extern void ssdpar_measure_groups(PlannerInfo *root, RelOptInfo *final);

#endif							/* SSDPAR_MEASURE_GROUPS_H */
