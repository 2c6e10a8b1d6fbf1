/*
 * explain_statement.c
 *		What EXPLAIN says of a statement as a whole: with VERBOSE, why a star
 *		query got no star scan or was not split, and how long the plan is
 *		predicted to take; with ANALYZE, how long it took and what was
 *		prefetched.
 *
 * There is no plan node to say it on, so it stands after the plan, as a group
 * of its own.  What split plans say of themselves is in split/scan.c, the
 * words about prefetching are in explain_prefetch.c.
 */
#include "postgres.h"

#include "executor/instrument.h"

#include "base/notes.h"
#include "base/settings.h"
#include "device/profile.h"
#include "statement/explain_prefetch.h"
#include "statement/explain_statement.h"

/* Of the query that ended last in this session; 0 if not measured. */
static double actual_seconds = 0.0;

/*
 * Why there is no star scan, or NULL where no one expects one: without a device
 * profile and without a forced access.
 */
static const char *
star_scan_refusal(const SsdparNotes *notes)
{
	if (!ssdpar_star_scan || notes->star_offered)
		return NULL;
	if (ssdpar_star_access == SSDPAR_STAR_AUTO &&
		ssdpar_profile_get(InvalidOid) == NULL)
		return NULL;
	return notes->star_refused;
}

/*
 * Why the query is not split, or NULL where no one expects it.  A query that
 * was offered a star scan has been helped: there it is told only where
 * splitting was asked for.
 */
static const char *
split_refusal(const SsdparNotes *notes)
{
	if (ssdpar_subqueries > 1)
		return notes->split_refused;
	if (ssdpar_subqueries == 1 || notes->star_offered ||
		ssdpar_profile_get(InvalidOid) == NULL)
		return NULL;
	return notes->split_refused;
}

/*
 * EXPLAIN has printed the plan by now, and with it closed the measurement.
 * What ends last is the query that is explained, not one inside of it.
 */
void
ssdpar_explain_note_end(QueryDesc *query)
{
	actual_seconds = 0.0;
	if (query->planstate != NULL && query->planstate->instrument != NULL)
		actual_seconds = query->planstate->instrument->total;
}

/* Saves and costs are those of the best level, compiled or not. */
static void
explain_jit(ExplainState *es, const SsdparNotes *notes)
{
	double		saves = notes->jit_saves * 1000.0;
	double		costs = notes->jit_costs * 1000.0;

	if (es->format == EXPLAIN_FORMAT_TEXT)
	{
		ExplainPropertyText("ssdpar JIT",
							psprintf("%s (saves %.1f ms, costs %.1f ms)",
									 notes->jit, saves, costs), es);
		return;
	}
	ExplainPropertyText("ssdpar JIT", notes->jit, es);
	ExplainPropertyFloat("ssdpar JIT Saves", "ms", saves, 3, es);
	ExplainPropertyFloat("ssdpar JIT Costs", "ms", costs, 3, es);
}

void
ssdpar_explain_query(ExplainOneQuery_hook_type explain, Query *query,
					 int cursor_options, IntoClause *into, ExplainState *es,
					 const char *query_string, ParamListInfo params,
					 QueryEnvironment *query_env)
{
	const SsdparNotes *notes = ssdpar_notes();
	bool		verbose = es->verbose && ssdpar_enabled;
	SsdparTally before;
	SsdparTally used;
	const char *no_star_scan;
	const char *no_split;
	bool		prefetch;
	bool		times;
	bool		jit;

	ssdpar_explain_prefetch_start(&before);
	(explain ? explain : ssdpar_explain_as_core) (query, cursor_options, into,
												  es, query_string, params,
												  query_env);

	/* no empty group: without ours, EXPLAIN's output is core's to the letter */
	no_star_scan = verbose ? star_scan_refusal(notes) : NULL;
	no_split = verbose ? split_refusal(notes) : NULL;
	times = verbose && es->costs && notes->predicted_seconds > 0.0;
	jit = verbose && es->costs && notes->jit != NULL;
	prefetch = ssdpar_explain_prefetch_wanted(es, &before, &used);
	if (!no_star_scan && !no_split && !times && !jit && !prefetch)
		return;
	ExplainOpenGroup("ssdpar", NULL, true, es);
	if (no_star_scan)
		ExplainPropertyText("ssdpar Star Scan Not Used", no_star_scan, es);
	if (no_split)
		ExplainPropertyText("ssdpar Split Not Used", no_split, es);
	if (times)
		ExplainPropertyFloat("ssdpar Predicted Time", "ms",
							 notes->predicted_seconds * 1000.0, 3, es);

	/* the executor's own count, which excludes planning as predictions do */
	if (times && es->analyze && es->timing && actual_seconds > 0.0)
		ExplainPropertyFloat("ssdpar Actual Time", "ms",
							 actual_seconds * 1000.0, 3, es);
	if (jit)
		explain_jit(es, notes);
	if (prefetch)
		ssdpar_explain_prefetch(es, &used);
	ExplainCloseGroup("ssdpar", NULL, true, es);
}
