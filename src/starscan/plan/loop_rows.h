/*
 * loop_rows.h
 *		Rows that core's nested loops find by a dimension's keys.
 */
#ifndef SSDPAR_LOOP_ROWS_H
#define SSDPAR_LOOP_ROWS_H

#include "nodes/pathnodes.h"

/*
 * Have the paths by which core looks rows of the fact up, by keys of these
 * dimensions (SsdparDimension), expect what is known of these.
 */
extern void ssdpar_correct_loop_rows(PlannerInfo *root, RelOptInfo *fact,
									 List *dimensions);

#endif							/* SSDPAR_LOOP_ROWS_H */
