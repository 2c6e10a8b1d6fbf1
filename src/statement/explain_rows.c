/*
 * explain_rows.c
 *		EXPLAIN says which row counts were measured while planning, beside what
 *		core had assumed and, with ANALYZE, what was found.
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
}
