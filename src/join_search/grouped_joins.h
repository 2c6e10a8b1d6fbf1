/*
 * grouped_joins.h
 *		Joins by all columns that a subquery is grouped by.
 */
#ifndef SSDPAR_GROUPED_JOINS_H
#define SSDPAR_GROUPED_JOINS_H

#include "nodes/pathnodes.h"

/*
 * All base relations of the level have their rows, and none has been joined:
 * put the selectivities of such joins right.
 */
extern void ssdpar_put_grouped_joins(PlannerInfo *root);

#endif							/* SSDPAR_GROUPED_JOINS_H */
