/*
 * combinations.h
 *		Asks the data how many different combinations of values some columns of
 *		a table have.
 */
#ifndef SSDPAR_COMBINATIONS_H
#define SSDPAR_COMBINATIONS_H

#include "nodes/pathnodes.h"

#include "sample/measure.h"

typedef struct SsdparCombination
{
	RelOptInfo *rel;			/* that may be asked (access.h) */
	List	   *vars;			/* two columns of it, or more */
	List	   *equals;			/* operators that tell their values apart */
	double		assumed;		/* by core */
	double		distinct;		/* measured, NULL as a value; 0: it was not */
	double		error;			/* of that, one standard error */
} SsdparCombination;

/*
 * Ask for as many of these SsdparCombination as there is time for.  Of all rows
 * of each table: filters are not looked at.  False if nothing could be asked.
 */
extern bool ssdpar_measure_combinations(PlannerInfo *root, List *combinations,
										double budget_seconds,
										SsdparMeasured *measured);

#endif							/* SSDPAR_COMBINATIONS_H */
