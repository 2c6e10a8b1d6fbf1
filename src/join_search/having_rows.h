/*
 * having_rows.h
 *		The rows of groups that HAVING leaves, where their number was measured.
 */
#ifndef SSDPAR_HAVING_ROWS_H
#define SSDPAR_HAVING_ROWS_H

#include "nodes/pathnodes.h"

/* Core has made the paths of grouped from those of input, and uses none yet. */
extern void ssdpar_put_having_rows(PlannerInfo *root, RelOptInfo *input,
								   RelOptInfo *grouped);

#endif							/* SSDPAR_HAVING_ROWS_H */
