/*
 * part_scans.h
 *		Star scans of a partitioned fact.
 */
#ifndef SSDPAR_PLAN_PART_SCANS_H
#define SSDPAR_PLAN_PART_SCANS_H

#include "nodes/pathnodes.h"

/*
 * Adds star scans of all leaves, below the keys that they share, to the paths
 * of fact, which is partitioned or has inheritance children.  Returns false if
 * there are none.
 */
extern bool ssdpar_add_part_scans(PlannerInfo *root, RelOptInfo *fact,
								  List *dimensions);

#endif							/* SSDPAR_PLAN_PART_SCANS_H */
