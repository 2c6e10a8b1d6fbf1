/*
 * explain_statement.c
 *		Information of EXPLAIN about a statement as a whole.  With VERBOSE:
 *		why a star query has no star scan, was not split, or has no index
 *		join, what planning did, and the predicted time.  With ANALYZE: the
 *		actual time and what was prefetched.
 *
 * It does not belong to a plan node, so it is printed after the plan, as a
 * separate group.  split/scan.c explains split plans, explain_prefetch.c
 * describes prefetching.
 */
#include "postgres.h"

#include "executor/instrument.h"

#include "base/compat.h"
#include "base/notes.h"
#include "base/settings.h"
#include "device/busy_clock.h"
#include "device/explain_busy.h"
#include "device/profile.h"
#include "statement/explain_planning.h"
#include "statement/explain_prefetch.h"
#include "statement/explain_statement.h"
#include "statement/plan_statement.h"

/*
 * The query that is being explained.  Functions that it calls plan and execute
 * other statements, before and while it runs.
 */
typedef struct Explained
{
	QueryDesc  *query;			/* NULL: not started yet */
	SsdparNotes notes;
	double		actual_seconds; /* 0: not measured */
	SsdparBusyMoment start;
	SsdparBusy	busy;			/* of this process, until the query's end */
} Explained;

static Explained *explained = NULL; /* NULL: no EXPLAIN is running */

/*
 * Why there is no star scan, or NULL if none would be expected, that is,
 * without a device profile and without a forced access.
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
 * Why the query is not split, or NULL if that would not be expected.  A query
 * that was offered a star scan has been improved already, so the reason is
 * shown only if splitting was requested.
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

/* Why nothing was considered, or NULL if that would not be expected. */
static const char *
left_to_core(const SsdparNotes *notes)
{
	return notes->left != NULL && ssdpar_profile_get(InvalidOid) != NULL ?
		notes->left : NULL;
}

/*
 * Why a join that core can execute with an index is not an index join, or
 * NULL.
 */
static const char *
index_join_refusal(const SsdparNotes *notes)
{
	return ssdpar_index_join && !notes->index_join_offered ?
		notes->index_join_refused : NULL;
}

/*
 * Should the output show what was busy?  This is a line next to the predicted
 * time.
 */
static bool
is_timed(const Explained *this)
{
	return (this->query->instrument_options & INSTRUMENT_TIMER) != 0 &&
		this->notes.predicted_seconds > 0.0;
}

/* Printing the plan is included, but takes next to no time. */
static void
note_busy(Explained *this)
{
	SsdparBusyMoment now;

	if (!is_timed(this))
		return;
	ssdpar_busy_look(this->notes.priced_tablespace, &now);
	ssdpar_busy_between(&this->busy, &this->start, &now);
}

/*
 * At this time the query has been planned, but none of its functions was
 * called.
 */
void
ssdpar_explain_note_start(QueryDesc *query)
{
	if (explained == NULL || explained->query != NULL ||
		ssdpar_is_planning())
		return;
	explained->query = query;
	explained->notes = *ssdpar_notes();
	if (is_timed(explained))
		ssdpar_busy_look(explained->notes.priced_tablespace,
						 &explained->start);
}

/* EXPLAIN has printed the plan by now, which has ended the measurement. */
void
ssdpar_explain_note_end(QueryDesc *query)
{
	if (explained == NULL || explained->query != query ||
		query->planstate == NULL || query->planstate->instrument == NULL)
		return;
	explained->actual_seconds =
		ssdpar_node_seconds(query->planstate->instrument);
	note_busy(explained);
}

/* No empty group: without ours, EXPLAIN's output is exactly core's. */
static void
explain_group(ExplainState *es, const Explained *done,
			  const SsdparTally *before)
{
	const SsdparNotes *notes = &done->notes;
	bool		verbose = es->verbose && ssdpar_enabled;
	const char *left = verbose ? left_to_core(notes) : NULL;
	const char *no_star_scan = verbose ? star_scan_refusal(notes) : NULL;
	const char *no_split = verbose ? split_refusal(notes) : NULL;
	const char *no_index_join = verbose ? index_join_refusal(notes) : NULL;
	bool		times = verbose && es->costs && notes->predicted_seconds > 0.0;
	SsdparTally used;
	bool		prefetch = ssdpar_explain_prefetch_wanted(es, before, &used);
	bool		planning = verbose &&
		ssdpar_explain_planning_wanted(es, notes);

	if (!left && !no_star_scan && !no_split && !no_index_join && !times &&
		!prefetch && !planning)
		return;
	ExplainOpenGroup("ssdpar", NULL, true, es);
	if (left)
		ExplainPropertyText("ssdpar Not Used", left, es);
	if (no_star_scan)
		ExplainPropertyText("ssdpar Star Scan Not Used", no_star_scan, es);
	if (no_split)
		ExplainPropertyText("ssdpar Split Not Used", no_split, es);
	if (no_index_join)
		ExplainPropertyText("ssdpar Index Join Not Used", no_index_join, es);
	if (planning)
		ssdpar_explain_planning(es, notes);
	if (times)
		ExplainPropertyFloat("ssdpar Predicted Time", "ms",
							 notes->predicted_seconds * 1000.0, 3, es);

	/* the executor's time, which excludes planning like the prediction */
	if (times && es->analyze && es->timing && done->actual_seconds > 0.0)
	{
		ExplainPropertyFloat("ssdpar Actual Time", "ms",
							 done->actual_seconds * 1000.0, 3, es);
		ssdpar_explain_busy("ssdpar Busy", &done->busy, es);
	}
	if (prefetch)
		ssdpar_explain_prefetch(es, &used);
	ExplainCloseGroup("ssdpar", NULL, true, es);
}

void
ssdpar_explain_query(ExplainOneQuery_hook_type explain, Query *query,
					 int cursor_options, IntoClause *into, ExplainState *es,
					 const char *query_string, ParamListInfo params,
					 QueryEnvironment *query_env)
{
	Explained  *outer = explained;
	Explained	this = {.query = NULL};
	SsdparTally before;

	ssdpar_explain_prefetch_start(&before);
	explained = &this;
	PG_TRY();
	{
		(explain ? explain : ssdpar_explain_as_core) (query, cursor_options,
													  into, es, query_string,
													  params, query_env);
	}
	PG_FINALLY();
	{
		explained = outer;
	}
	PG_END_TRY();
	explain_group(es, &this, &before);
}
