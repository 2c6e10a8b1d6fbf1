/*
 * part_scans.h
 *		Star scans of a fact that has partitions.
 */
#ifndef SSDPAR_PLAN_PART_SCANS_H
#define SSDPAR_PLAN_PART_SCANS_H

#include "nodes/pathnodes.h"

/*
 * Add to the paths of fact, which is partitioned or has children, star scans of
 * all of them below the keys that they share; false if there are none.
 */
extern bool ssdpar_add_part_scans(PlannerInfo *root, RelOptInfo *fact,
								  List *dimensions);

#endif							/* SSDPAR_PLAN_PART_SCANS_H */
