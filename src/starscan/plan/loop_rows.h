/*
 * loop_rows.h
 *		Corrects the rows that core's nested loops find by a dimension's
 *		keys.
 */
#ifndef SSDPAR_LOOP_ROWS_H
#define SSDPAR_LOOP_ROWS_H

#include "nodes/pathnodes.h"

/*
 * Corrects the row counts of the paths with which core looks up rows of the
 * fact by keys of these dimensions (SsdparDimension).
 */
extern void ssdpar_correct_loop_rows(PlannerInfo *root, RelOptInfo *fact,
									 List *dimensions);

#endif							/* SSDPAR_LOOP_ROWS_H */
