/*
 * corrected_rows.h
 *		The row count to plan with where one was measured.
 */
#ifndef SSDPAR_CORRECTED_ROWS_H
#define SSDPAR_CORRECTED_ROWS_H

#include <math.h>

#include "optimizer/optimizer.h"

#include "rowcount/known_rows.h"

/*
 * In place of what core assumes: that stays where a sample so small cannot tell
 * it from its own number, by two standard deviations of the rows found.  A
 * sample without a single row tells no more than that there are not many.
 */
static inline double
ssdpar_corrected_rows(const SsdparKnownRows *known, double assumed)
{
	double		rows = clamp_row_est(known->rows);
	double		error;

	if (known->exact)
		return rows;
	if (known->found <= 0.0)
		return Min(rows, assumed);
	error = 1.0 + 2.0 / sqrt(known->found);
	return assumed <= rows * error && rows <= assumed * error ? assumed : rows;
}

#endif							/* SSDPAR_CORRECTED_ROWS_H */
