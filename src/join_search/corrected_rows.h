/*
 * corrected_rows.h
 *		The row count to plan with where one was measured.
 */
#ifndef SSDPAR_CORRECTED_ROWS_H
#define SSDPAR_CORRECTED_ROWS_H

#include <math.h>

#include "optimizer/optimizer.h"

#include "rowcount/known_rows.h"

/* Rows of a sample that core's statistics are worth: of a join, of a table. */
#define SSDPAR_ROWS_ASSUMED 0.7
#define SSDPAR_TABLE_ROWS_ASSUMED 10.0

/* A bound is so many rows of the sample in which none was found. */
#define SSDPAR_ROWS_UNFOUND 3.0

/*
 * In place of what core assumes: that stays where a sample so small cannot tell
 * it from its own number, by two standard deviations of the rows found.
 *
 * Else core's number counts as a few rows of the sample do: it is the mean of
 * what may be before the sample is looked at, by a gamma distribution, and what
 * comes out the mean after it.  So with no row found, the number falls the
 * further below core's the more rows should have been found by that.
 */
static inline double
ssdpar_corrected_rows(const SsdparKnownRows *known, double assumed)
{
	double		rows = clamp_row_est(known->rows);
	double		error;
	double		a_row;
	double		prior = bms_membership(known->relids) == BMS_SINGLETON ?
		SSDPAR_TABLE_ROWS_ASSUMED : SSDPAR_ROWS_ASSUMED;

	if (known->exact)
		return rows;
	error = 1.0 + 2.0 / sqrt(Max(known->found, 1.0));
	if (known->found > 0.0 && assumed <= rows * error &&
		rows <= assumed * error)
		return assumed;
	a_row = rows / (known->found > 0.0 ? known->found : SSDPAR_ROWS_UNFOUND);
	return clamp_row_est((prior + known->found) /
						 (prior / Max(assumed, 1.0) + 1.0 / a_row));
}

#endif							/* SSDPAR_CORRECTED_ROWS_H */
