/*
 * spread.h
 *		Estimates how far the rows of a relation may deviate from their
 *		estimate.
 */
#ifndef SSDPAR_SPREAD_H
#define SSDPAR_SPREAD_H

#include "nodes/pathnodes.h"

/*
 * How many times as many rows as estimated are to be expected in a table or
 * join: 1 if the number is reliable, else more.
 */
extern double ssdpar_row_spread(PlannerInfo *root, RelOptInfo *rel);

/* The same of one join's rows. */
extern double ssdpar_join_spread(void);

#endif							/* SSDPAR_SPREAD_H */
