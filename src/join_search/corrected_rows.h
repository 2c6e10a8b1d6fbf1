/*
 * corrected_rows.h
 *		The row count to plan with where one was measured.
 */
#ifndef SSDPAR_CORRECTED_ROWS_H
#define SSDPAR_CORRECTED_ROWS_H

#include "optimizer/optimizer.h"

#include "rowcount/known_rows.h"

/*
 * In place of what core assumes.  A sample without a single row tells no more
 * than that there are not many.
 */
static inline double
ssdpar_corrected_rows(const SsdparKnownRows *known, double assumed)
{
	double		rows = clamp_row_est(known->rows);

	return known->found == 0 && !known->exact ? Min(rows, assumed) : rows;
}

#endif							/* SSDPAR_CORRECTED_ROWS_H */
