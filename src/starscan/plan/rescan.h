/*
 * rescan.h
 *		Star scans below nested loops.
 */
#ifndef SSDPAR_PLAN_RESCAN_H
#define SSDPAR_PLAN_RESCAN_H

#include "nodes/pathnodes.h"

/*
 * After the search for a join order: let each star scan on the inner side of
 * one of root's nested loops be read once, whatever the outer side has.
 */
extern void ssdpar_keep_inner_star_scans(PlannerInfo *root);

#endif							/* SSDPAR_PLAN_RESCAN_H */
