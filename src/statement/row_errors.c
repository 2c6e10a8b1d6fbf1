/*
 * row_errors.c
 *		How far row counts were off, before and after measuring.
 *
 * By the q-error: the larger of estimate / truth and truth / estimate, which is
 * 1 where both agree.  Counted are sums of its logarithm, so that the mean is
 * geometric and one row count that is off by a million does not hide all
 * others.  The truth is known only where every node's rows are counted, by
 * EXPLAIN ANALYZE: to have the executor count them always would slow each
 * statement down.
 */
#include "postgres.h"

#include <math.h>

#include "prefetch/counters.h"
#include "statement/row_errors.h"

/* Of a logarithm: counters are whole numbers. */
#define PARTS 1e6

/* As the planner has it, there is at least one row. */
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
