/*
 * corrected_rows.h
 *		The row count to plan with where one was measured.
 */
#ifndef SSDPAR_CORRECTED_ROWS_H
#define SSDPAR_CORRECTED_ROWS_H

#include <math.h>

#include "optimizer/optimizer.h"

#include "rowcount/known_rows.h"
#include "rowcount/posterior.h"

/*
 * In place of what core assumes: that stays where a sample so small cannot tell
 * it from its own number, by two standard deviations of the rows found.
 */
static inline double
ssdpar_corrected_rows(const SsdparKnownRows *known, double assumed)
{
	double		rows = clamp_row_est(known->rows);
	double		error = 1.0 + 2.0 / sqrt(Max(known->found, 1.0));
	bool		is_table = bms_membership(known->relids) == BMS_SINGLETON;

	if (known->exact)
		return rows;
	if (known->found > 0.0 && assumed <= rows * error &&
		rows <= assumed * error)
		return assumed;
	return clamp_row_est(ssdpar_posterior(assumed,
										  is_table ? SSDPAR_TABLE_WORTH :
										  SSDPAR_JOIN_WORTH,
										  rows, known->found));
}

#endif							/* SSDPAR_CORRECTED_ROWS_H */
