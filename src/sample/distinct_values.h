/*
 * distinct_values.h
 *		Asks the data how many distinct values a column has.
 */
#ifndef SSDPAR_DISTINCT_VALUES_H
#define SSDPAR_DISTINCT_VALUES_H

#include "nodes/pathnodes.h"

#include "sample/measure.h"

/*
 * Core's number stays unless the measured one is off by this factor, and by
 * more than so many standard errors.
 */
#define SSDPAR_DISTINCT_FACTOR 1.5
#define SSDPAR_DISTINCT_ERRORS 2.0

typedef struct SsdparDistinctColumn
{
	RelOptInfo *rel;			/* that may be asked (access.h) */
	Var		   *var;			/* a column of it */
	Oid			equal;			/* operator that tells its values apart */
	double		assumed;		/* by core */
	double		distinct;		/* measured, NULL apart; 0: it was not */
	double		error;			/* of that, one standard error */
} SsdparDistinctColumn;

/*
 * Ask for as many of these SsdparDistinctColumn as a btree answers, within so
 * many seconds.  Of all rows of each table: filters are not looked at.  False
 * if nothing could be asked.
 */
extern bool ssdpar_measure_distinct(PlannerInfo *root, List *columns,
									double budget_seconds,
									SsdparMeasured *measured);

#endif							/* SSDPAR_DISTINCT_VALUES_H */
