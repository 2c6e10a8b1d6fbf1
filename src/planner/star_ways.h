/*
 * star_ways.h
 *		The ways to read one table by a star scan, as paths.
 */
#ifndef SSDPAR_STAR_WAYS_H
#define SSDPAR_STAR_WAYS_H

#include "nodes/pathnodes.h"

/*
 * Add to the paths of rel, the fact or a partition of it, the best star scans
 * by each access that ssdpar.star_access allows, serial and parallel ones.
 * False if there is none: no index, or nothing to compare it by.
 */
extern bool ssdpar_add_star_ways(PlannerInfo *root, RelOptInfo *fact,
								 RelOptInfo *rel, List *dimensions);

#endif							/* SSDPAR_STAR_WAYS_H */
