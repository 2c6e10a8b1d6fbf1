/*
 * spread.h
 *		How far the rows of a relation may be from their estimate.
 */
#ifndef SSDPAR_SPREAD_H
#define SSDPAR_SPREAD_H

#include "nodes/pathnodes.h"

/*
 * How many times its estimate the rows of a relation, of a table or a join, are
 * to be expected: 1 where the number is sure, else more.
 */
extern double ssdpar_row_spread(PlannerInfo *root, RelOptInfo *rel);

/* The same of one join's rows. */
extern double ssdpar_join_spread(void);

#endif							/* SSDPAR_SPREAD_H */
