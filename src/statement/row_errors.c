/*
 * row_errors.c
 *		Errors of row counts before and after measuring.
 *
 * The error is the q-error: the larger of estimate / truth and truth /
 * estimate, which is 1 if both agree.  The sums of its logarithm are counted,
 * so the mean is geometric and one row count that is wrong by a factor of a
 * million does not hide all others.  The truth is known only if the rows of
 * every node are counted, under EXPLAIN ANALYZE; always counting them would
 * slow down each statement.
 */
#include "postgres.h"

#include <math.h>

#include "prefetch/counters.h"
#include "statement/row_errors.h"

/* Unit of a logarithm, because counters are integers. */
#define PARTS 1e6

/* Like the planner, assumes at least one row. */
static uint64
error_parts(double estimate, double truth)
{
	return rint(PARTS * fabs(log(Max(estimate, 1.0) / Max(truth, 1.0))));
}

void
ssdpar_count_row_errors(const SsdparReport *report)
{
	ListCell   *lc;

	foreach(lc, report->rows)
	{
		const SsdparReportedRows *rows = lfirst(lc);

		if (rows->actual < 0.0 || rows->assumed < 0.0)
			continue;
		ssdpar_count(SSDPAR_COUNT_COMPARED, 1);
		ssdpar_count(SSDPAR_COUNT_ASSUMED_ERROR,
					 error_parts(rows->assumed, rows->actual));
		ssdpar_count(SSDPAR_COUNT_PLANNED_ERROR,
					 error_parts(rows->planned, rows->actual));
	}
	ssdpar_counters_flush();
}
