/*
 * explain_reason.c
 *		What EXPLAIN says of a statement as a whole: with VERBOSE, why a star
 *		query was left to core and how long the plan is predicted to take; with
 *		ANALYZE, how long it took and what was prefetched.
 *
 * There is no plan node to say it on, so it stands after the plan, as a group
 * of its own.  What split plans say of themselves is in partition_scan.c, the
 * words about prefetching are in stats/explain_prefetch.c.
 */
#include "postgres.h"

#include "executor/instrument.h"

#include "device/profile.h"
#include "planner/explain_reason.h"
#include "planner/planning.h"
#include "settings.h"
#include "starscan/star_plan.h"
#include "stats/explain_prefetch.h"

/* Of the query that ended last in this session; 0 if not measured. */
static double actual_seconds = 0.0;

/*
 * Without a profile and anything forced nobody expects anything.  Nor is a
 * query left to core that has been offered a star scan, unless it should have
 * been split.
 */
static bool
reason_is_wanted(ExplainState *es)
{
	return es->verbose && ssdpar_enabled && ssdpar_left_to_core() != NULL &&
		(ssdpar_subqueries > 1 || !ssdpar_star_offered()) &&
		(ssdpar_subqueries > 1 ||
		 (ssdpar_star_scan && ssdpar_star_access != SSDPAR_STAR_AUTO) ||
		 ((ssdpar_subqueries == 0 || ssdpar_star_scan) &&
		  ssdpar_profile_get(InvalidOid) != NULL));
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

static void
explain_times(ExplainState *es)
{
	ExplainPropertyFloat("ssdpar Predicted Time", "ms",
						 ssdpar_predicted_seconds() * 1000.0, 3, es);
	if (es->analyze && es->timing && actual_seconds > 0.0)
		ExplainPropertyFloat("ssdpar Actual Time", "ms",
							 actual_seconds * 1000.0, 3, es);
}

void
ssdpar_explain_query(ExplainOneQuery_hook_type explain, Query *query,
					 int cursor_options, IntoClause *into, ExplainState *es,
					 const char *query_string, ParamListInfo params,
					 QueryEnvironment *query_env)
{
	SsdparTally before;
	SsdparTally used;
	bool		reason;
	bool		prefetch;
	bool		times;

	ssdpar_explain_prefetch_start(&before);
	(explain ? explain : ssdpar_explain_as_core) (query, cursor_options, into,
												  es, query_string, params,
												  query_env);
	reason = reason_is_wanted(es);
	prefetch = ssdpar_explain_prefetch_wanted(es, &before, &used);
	times = es->verbose && es->costs && ssdpar_enabled &&
		ssdpar_predicted_seconds() > 0.0;
	if (!reason && !prefetch && !times)
		return;
	ExplainOpenGroup("ssdpar", NULL, true, es);
	if (reason)
		ExplainPropertyText("ssdpar Left to Core", ssdpar_left_to_core(), es);
	if (times)
		explain_times(es);
	if (prefetch)
		ssdpar_explain_prefetch(es, &used);
	ExplainCloseGroup("ssdpar", NULL, true, es);
}
