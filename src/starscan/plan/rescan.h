/*
 * rescan.h
 *		Star scans below nested loops.
 */
#ifndef SSDPAR_PLAN_RESCAN_H
#define SSDPAR_PLAN_RESCAN_H

#include "nodes/pathnodes.h"

/*
 * Called after the join search: makes each star scan on the inner side of one
 * of root's nested loops run only once, regardless of the outer rows.
 */
extern void ssdpar_keep_inner_star_scans(PlannerInfo *root);

#endif							/* SSDPAR_PLAN_RESCAN_H */
