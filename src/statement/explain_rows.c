/*
 * explain_rows.c
 *		Shows in EXPLAIN which row counts and distinct values were measured
 *		during planning, with core's estimates and, under ANALYZE, the
 *		actual values.
 */
#include "postgres.h"

#include <math.h>

#include "statement/explain_rows.h"

static void
explain_sum(ExplainState *es, const SsdparMeasured *sum)
{
	if (es->format == EXPLAIN_FORMAT_TEXT)
	{
		ExplainPropertyText("ssdpar Rows Measured",
							psprintf("tables=%d joins=%d keys=%d pages=%.0f time=%.3f ms",
									 sum->tables, sum->joins, sum->keys,
									 sum->pages, sum->milliseconds), es);
		return;
	}
	ExplainOpenGroup("ssdpar Rows Measured", "ssdpar Rows Measured", true, es);
	ExplainPropertyInteger("Tables", NULL, sum->tables, es);
	ExplainPropertyInteger("Joins", NULL, sum->joins, es);
	ExplainPropertyInteger("Keys", NULL, sum->keys, es);
	ExplainPropertyFloat("Pages", NULL, sum->pages, 0, es);
	ExplainPropertyFloat("Time", "ms", sum->milliseconds, 3, es);
	ExplainCloseGroup("ssdpar Rows Measured", "ssdpar Rows Measured", true,
					  es);
}

static void
explain_text(ExplainState *es, const SsdparReportedRows *rows)
{
	StringInfoData line;

	initStringInfo(&line);
	appendStringInfo(&line, "%s: %s=%.0f", rows->tables,
					 rows->bound ? "at most" : "measured", rint(rows->measured));
	if (rows->assumed >= 0.0)
		appendStringInfo(&line, " assumed=%.0f", rows->assumed);
	if (rows->actual >= 0.0)
		appendStringInfo(&line, " actual=%.0f", rows->actual);
	ExplainPropertyText("ssdpar Rows", line.data, es);
	pfree(line.data);
}

static void
explain_group(ExplainState *es, const SsdparReportedRows *rows)
{
	ExplainOpenGroup("Row Count", NULL, true, es);
	ExplainPropertyText("Tables", rows->tables, es);
	ExplainPropertyFloat("Rows Measured", NULL, rint(rows->measured), 0, es);
	ExplainPropertyBool("At Most", rows->bound, es);
	if (rows->assumed >= 0.0)
		ExplainPropertyFloat("Rows Assumed", NULL, rows->assumed, 0, es);
	if (rows->actual >= 0.0)
		ExplainPropertyFloat("Rows Found", NULL, rows->actual, 0, es);
	ExplainCloseGroup("Row Count", NULL, true, es);
}

static void
explain_distinct(ExplainState *es, const SsdparReportedDistinct *distinct)
{
	if (es->format == EXPLAIN_FORMAT_TEXT)
	{
		ExplainPropertyText("ssdpar Distinct",
							psprintf("%s: measured=%.0f assumed=%.0f",
									 distinct->column, distinct->measured,
									 distinct->assumed), es);
		return;
	}
	ExplainOpenGroup("Distinct Values", NULL, true, es);
	ExplainPropertyText("Column", distinct->column, es);
	ExplainPropertyFloat("Values Measured", NULL, distinct->measured, 0, es);
	ExplainPropertyFloat("Values Assumed", NULL, distinct->assumed, 0, es);
	ExplainCloseGroup("Distinct Values", NULL, true, es);
}

static void
explain_all_distinct(ExplainState *es, const SsdparReport *report)
{
	ListCell   *lc;

	if (report->distinct == NIL)
		return;
	ExplainOpenGroup("ssdpar Distinct", "ssdpar Distinct", false, es);
	foreach(lc, report->distinct)
		explain_distinct(es, lfirst(lc));
	ExplainCloseGroup("ssdpar Distinct", "ssdpar Distinct", false, es);
}

void
ssdpar_explain_rows(ExplainState *es, const SsdparReport *report)
{
	bool		text = es->format == EXPLAIN_FORMAT_TEXT;
	ListCell   *lc;

	explain_sum(es, &report->sum);
	if (!text)
		ExplainOpenGroup("ssdpar Rows", "ssdpar Rows", false, es);
	foreach(lc, report->rows)
	{
		if (text)
			explain_text(es, lfirst(lc));
		else
			explain_group(es, lfirst(lc));
	}
	if (!text)
		ExplainCloseGroup("ssdpar Rows", "ssdpar Rows", false, es);
	explain_all_distinct(es, report);
}
