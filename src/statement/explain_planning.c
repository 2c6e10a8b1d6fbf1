/*
 * explain_planning.c
 *		Shows in EXPLAIN what planning a statement took: what was read for it,
 *		and how long that and the considering of paths took.
 */
#include "postgres.h"

#include "statement/explain_planning.h"

/* In the order of SsdparWorkKind; in text format, and in the others. */
static const struct
{
	const char *text;
	const char *name;
}			kinds[] = {
	{"profiles", "Profiles Read"},
	{"residency", "Residency Sampled"},
	{"indexes", "Indexes Looked At"},
	{"dimensions", "Dimensions Looked At"},
	{"star scans", "Star Scans Considered"},
	{"index joins", "Index Joins Considered"},
};

StaticAssertDecl(lengthof(kinds) == SSDPAR_WORK_KINDS, "work has no name");

/* Like core's time of planning, which EXPLAIN (SUMMARY OFF) leaves out. */
bool
ssdpar_explain_planning_wanted(const ExplainState *es,
							   const SsdparNotes *notes)
{
	if (es->verbose && es->summary)
		for (int i = 0; i < SSDPAR_WORK_KINDS; i++)
			if (notes->work[i].times > 0.0)
				return true;
	return false;
}

static void
explain_text(ExplainState *es, const char *name, const SsdparWork *work)
{
	ExplainPropertyText("ssdpar Planning", work->pages > 0.0 ?
						psprintf("%s=%.0f pages=%.0f time=%.3f ms", name,
								 work->times, work->pages,
								 work->seconds * 1000.0) :
						psprintf("%s=%.0f time=%.3f ms", name, work->times,
								 work->seconds * 1000.0), es);
}

static void
explain_group(ExplainState *es, const char *name, const SsdparWork *work)
{
	ExplainOpenGroup("Planning Work", NULL, true, es);
	ExplainPropertyText("Work", name, es);
	ExplainPropertyFloat("Times", NULL, work->times, 0, es);
	ExplainPropertyFloat("Pages", NULL, work->pages, 0, es);
	ExplainPropertyFloat("Time", "ms", work->seconds * 1000.0, 3, es);
	ExplainCloseGroup("Planning Work", NULL, true, es);
}

void
ssdpar_explain_planning(ExplainState *es, const SsdparNotes *notes)
{
	bool		text = es->format == EXPLAIN_FORMAT_TEXT;

	ExplainOpenGroup("ssdpar Planning", "ssdpar Planning", false, es);
	for (int i = 0; i < SSDPAR_WORK_KINDS; i++)
	{
		const SsdparWork *work = &notes->work[i];

		if (work->times <= 0.0)
			continue;
		if (text)
			explain_text(es, kinds[i].text, work);
		else
			explain_group(es, kinds[i].name, work);
	}
	ExplainCloseGroup("ssdpar Planning", "ssdpar Planning", false, es);
}
