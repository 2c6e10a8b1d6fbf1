/*
 * corrected_rows.h
 *		The row count to plan with where one was measured.
 */
#ifndef SSDPAR_CORRECTED_ROWS_H
#define SSDPAR_CORRECTED_ROWS_H

#include "optimizer/optimizer.h"

#include "rowcount/known_rows.h"
#include "rowcount/posterior.h"

/* In place of what core assumes. */
static inline double
ssdpar_corrected_rows(const SsdparKnownRows *known, double assumed)
{
	double		rows = clamp_row_est(known->rows);
	bool		is_table = bms_membership(known->relids) == BMS_SINGLETON;

	if (known->exact)
		return rows;
	return clamp_row_est(ssdpar_corrected(assumed,
										  is_table ? SSDPAR_TABLE_WORTH :
										  SSDPAR_JOIN_WORTH,
										  rows, known->found));
}

#endif							/* SSDPAR_CORRECTED_ROWS_H */
