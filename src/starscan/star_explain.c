/*
 * star_explain.c
 *		What EXPLAIN says of a star scan: what was planned, and under ANALYZE
 *		what came of it, in all processes and loops together.
 *
 * In text format a reducer is one line; in the others a group of properties.
 * Nothing is measured here.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "commands/explain.h"
#include "executor/executor.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "compat.h"
#include "prefetch/page_list.h"
#include "starscan/star_ahead.h"
#include "starscan/star_state.h"

typedef struct Explain
{
	SsdparStarState *state;
	ExplainState *es;
	const SsdparStarResult *result; /* NULL if it never ran */
	SsdparStarCounters *counters;
} Explain;

static inline bool
is_text(const Explain *explain)
{
	return explain->es->format == EXPLAIN_FORMAT_TEXT;
}

/*
 * Names.
 */

/* The name that the query gives a table; see star_plan.h on fact. */
static const char *
table_name(const Explain *explain, Index planned)
{
	const SsdparStarPlan *plan = explain->state->plan;
	CustomScan *scan = (CustomScan *) explain->state->css.ss.ps.plan;
	Index		rti = planned + (scan->scan.scanrelid - plan->fact);
	const char *name = NULL;

	if (rti < 1 || rti > (Index) list_length(explain->es->rtable))
		return "?";
	if (rti <= (Index) list_length(explain->es->rtable_names))
		name = list_nth(explain->es->rtable_names, rti - 1);
	return name != NULL ? name :
		rt_fetch(rti, explain->es->rtable)->eref->aliasname;
}

/* The target's columns; of another dimension only which one that is. */
static const char *
target_name(const Explain *explain, const SsdparReducer *reducer)
{
	const SsdparStarPlan *plan = explain->state->plan;
	Relation	rel = explain->state->css.ss.ss_currentRelation;
	StringInfoData names;

	if (reducer->target != SSDPAR_TARGET_FACT)
		return table_name(explain,
						  plan->reducers[reducer->target].dimension);
	initStringInfo(&names);
	for (int i = 0; i < reducer->ncolumns; i++)
		appendStringInfo(&names, "%s%s", i > 0 ? ", " : "",
						 get_attname(RelationGetRelid(rel),
									 reducer->target_columns[i], false));
	return names.data;
}

static const char *
index_name(const SsdparReducer *reducer)
{
	char	   *name = NULL;

	if (OidIsValid(reducer->index))
		name = get_rel_name(reducer->index);
	return name;
}

/*
 * Reducers.
 */

/* The fraction that passed, of one or more rows tested. */
static double
fraction_kept(const SsdparStarTestCount *count)
{
	return 1.0 - (double) count->dropped / count->rows;
}

static void
append_found(StringInfo line, const SsdparStarFound *found,
			 const SsdparStarTestCount *count, bool has_index)
{
	if (found->kind[0] == '\0')
	{
		appendStringInfoString(line, found->rows > 0 ?
							   "; no memory for its keys" :
							   "; found no keys");
		return;
	}
	appendStringInfo(line, "; found " UINT64_FORMAT " keys (%s)",
					 found->keys, found->kind);
	if (found->by_index)
		appendStringInfo(line, ", " UINT64_FORMAT " rows in "
						 UINT64_FORMAT " leaves",
						 found->index_rows, found->index_leaves);
	else if (has_index)
		appendStringInfoString(line, ", index not read");
	if (count->rows > 0)
		appendStringInfo(line, ", kept %.4f of " UINT64_FORMAT " rows",
						 fraction_kept(count), count->rows);
}

static void
explain_reducer_text(const Explain *explain, int i)
{
	const SsdparReducer *reducer = &explain->state->plan->reducers[i];
	const char *index = index_name(reducer);
	StringInfoData line;

	initStringInfo(&line);
	appendStringInfo(&line, "%s on %s",
					 table_name(explain, reducer->dimension),
					 target_name(explain, reducer));
	if (index != NULL)
		appendStringInfo(&line, " by index %s", index);
	if (explain->es->costs)
		appendStringInfo(&line, ", estimated %.0f keys to keep %.4f",
						 reducer->keys, reducer->selectivity);
	if (explain->es->analyze && explain->result != NULL)
		append_found(&line, &explain->result->found[i],
					 &explain->counters->tests[i], index != NULL);
	ExplainPropertyText("Reducer", line.data, explain->es);
	pfree(line.data);
}

static void
explain_found(const Explain *explain, int i)
{
	const SsdparStarFound *found = &explain->result->found[i];
	const SsdparStarTestCount *count = &explain->counters->tests[i];
	ExplainState *es = explain->es;

	ExplainPropertyUInteger("Actual Keys", NULL, found->keys, es);
	ExplainPropertyText("Key Set", found->kind[0] != '\0' ?
						found->kind : "none", es);
	ExplainPropertyBool("Index Read", found->by_index, es);
	ExplainPropertyUInteger("Index Rows", NULL, found->index_rows, es);
	ExplainPropertyUInteger("Index Leaves", NULL, found->index_leaves, es);
	ExplainPropertyUInteger("Rows Tested", NULL, count->rows, es);
	if (count->rows > 0)
		ExplainPropertyFloat("Actual Fraction", NULL, fraction_kept(count),
							 6, es);
}

static void
explain_reducer(const Explain *explain, int i)
{
	const SsdparReducer *reducer = &explain->state->plan->reducers[i];
	const char *index = index_name(reducer);
	ExplainState *es = explain->es;

	ExplainOpenGroup("Reducer", NULL, true, es);
	ExplainPropertyText("Dimension",
						table_name(explain, reducer->dimension), es);
	ExplainPropertyText("Target", target_name(explain, reducer), es);
	if (index != NULL)
		ExplainPropertyText("Index", index, es);
	if (es->costs)
	{
		ExplainPropertyFloat("Estimated Keys", NULL, reducer->keys, 0, es);
		ExplainPropertyFloat("Estimated Fraction", NULL,
							 reducer->selectivity, 6, es);
	}
	if (es->analyze && explain->result != NULL)
		explain_found(explain, i);
	ExplainCloseGroup("Reducer", NULL, true, es);
}

static void
explain_reducers(const Explain *explain)
{
	int			n = explain->state->plan->nreducers;

	ExplainOpenGroup("Reducers", "Reducers", false, explain->es);
	for (int i = 0; i < n; i++)
	{
		if (is_text(explain))
			explain_reducer_text(explain, i);
		else
			explain_reducer(explain, i);
	}
	ExplainCloseGroup("Reducers", "Reducers", false, explain->es);
}

/* Considered, and dearer with them than without. */
static void
explain_left_out(const Explain *explain)
{
	const SsdparStarPlan *plan = explain->state->plan;
	ExplainState *es = explain->es;

	if (plan->nleft_out == 0 || !es->verbose || !es->costs)
		return;
	ExplainOpenGroup("Left Out", "Left Out", false, es);
	for (int i = 0; i < plan->nleft_out; i++)
	{
		const SsdparLeftOut *left_out = &plan->left_out[i];
		const char *name = table_name(explain, left_out->dimension);

		if (is_text(explain))
		{
			char	   *line = psprintf("%s, cost %.2f with it, %.2f without",
										name, left_out->cost,
										left_out->chosen_cost);

			ExplainPropertyText("Left Out", line, es);
			continue;
		}
		ExplainOpenGroup("Dimension", NULL, true, es);
		ExplainPropertyText("Dimension", name, es);
		ExplainPropertyFloat("Cost With", NULL, left_out->cost, 2, es);
		ExplainPropertyFloat("Cost Without", NULL, left_out->chosen_cost, 2,
							 es);
		ExplainCloseGroup("Dimension", NULL, true, es);
	}
	ExplainCloseGroup("Left Out", "Left Out", false, es);
}

/*
 * What happened.
 */

static void
explain_removed(const Explain *explain)
{
	uint64		removed = 0;

	for (int i = 0; i < explain->state->plan->nreducers; i++)
		removed += explain->counters->tests[i].dropped;
	ExplainPropertyUInteger("Rows Removed by Keys", NULL, removed,
							explain->es);
}

/* Where depth was measured at all. */
static double
mean_depth(const SsdparStarCounters *counters)
{
	return (double) counters->depth_sum / counters->depth_n;
}

/* What a read stream asks for, and how deep it gets, is not to be seen. */
static void
explain_asked(const Explain *explain)
{
	const SsdparStarCounters *c = explain->counters;
	ExplainState *es = explain->es;

	if (c->depth_n == 0)
		return;
	ExplainPropertyUInteger("Pages Asked", NULL, c->asked, es);
	ExplainPropertyUInteger("Pages Merged", NULL, c->merged, es);
	ExplainPropertyUInteger("Reads Waited For", NULL, c->waits, es);
	ExplainPropertyFloat("Depth Mean", NULL, mean_depth(c), 1, es);
	ExplainPropertyUInteger("Depth Max", NULL, c->depth_max, es);
}

/* A stream reads more than is looked at, if the query ends before it does. */
static uint64
pages_hit(const SsdparStarCounters *counters)
{
	return counters->pages - Min(counters->pages, counters->reads);
}

static void
explain_pages_text(const Explain *explain)
{
	const SsdparStarCounters *c = explain->counters;
	Relation	rel = explain->state->css.ss.ss_currentRelation;
	ExplainState *es = explain->es;
	char	   *line;

	line = psprintf("exact=%u lossy=%u", explain->result->exact_pages,
					explain->result->lossy_pages);
	ExplainPropertyText("Bitmap Pages", line, es);
	line = psprintf("hit=" UINT64_FORMAT " read=" UINT64_FORMAT,
					pages_hit(c), c->reads);
	if (c->depth_n > 0)
		line = psprintf("%s asked=" UINT64_FORMAT " merged=" UINT64_FORMAT
						" waits=" UINT64_FORMAT,
						line, c->asked, c->merged, c->waits);
	ExplainPropertyText("Heap Pages", line, es);
	line = psprintf("%s, depth %d", ssdpar_star_ahead_method(rel),
					ssdpar_page_depth(rel));
	if (c->depth_n > 0)
		line = psprintf("%s, reached mean %.1f max " UINT64_FORMAT, line,
						mean_depth(c), c->depth_max);
	ExplainPropertyText("Read Ahead", line, es);
}

static void
explain_pages(const Explain *explain)
{
	const SsdparStarCounters *c = explain->counters;
	Relation	rel = explain->state->css.ss.ss_currentRelation;
	ExplainState *es = explain->es;

	ExplainPropertyUInteger("Exact Pages", NULL,
							explain->result->exact_pages, es);
	ExplainPropertyUInteger("Lossy Pages", NULL,
							explain->result->lossy_pages, es);
	ExplainPropertyUInteger("Pages Hit", NULL, pages_hit(c), es);
	ExplainPropertyUInteger("Pages Read", NULL, c->reads, es);
	ExplainPropertyText("Read Ahead", ssdpar_star_ahead_method(rel), es);
	ExplainPropertyInteger("Depth", NULL, ssdpar_page_depth(rel), es);
	explain_asked(explain);
}

/*
 * Of all processes, as the node's own time is.  Those that wait for the keys
 * do nothing else meanwhile, so the heap's is what is left.
 */
static void
explain_times(const Explain *explain)
{
	Instrumentation *instrument = explain->state->css.ss.ps.instrument;
	double		keys =
		INSTR_TIME_GET_MILLISEC(explain->result->keys_time);
	double		bitmap =
		INSTR_TIME_GET_MILLISEC(explain->result->bitmap_time);
	double		heap;

	if (!explain->es->timing || instrument == NULL)
		return;
	heap = instrument->total * 1000.0 -
		INSTR_TIME_GET_MILLISEC(explain->counters->prepare_time);
	heap = Max(heap, 0.0);
	if (is_text(explain))
	{
		char	   *line = psprintf("keys=%.3f bitmap=%.3f heap=%.3f ms",
									keys, bitmap, heap);

		ExplainPropertyText("Times", line, explain->es);
		return;
	}
	ExplainPropertyFloat("Key Time", "ms", keys, 3, explain->es);
	ExplainPropertyFloat("Bitmap Time", "ms", bitmap, 3, explain->es);
	ExplainPropertyFloat("Heap Time", "ms", heap, 3, explain->es);
}

/* All that came, and those that read indexes for the bitmap. */
static void
explain_processes(const Explain *explain)
{
	ExplainState *es = explain->es;

	ExplainPropertyInteger("Processes", NULL, explain->state->processes_run,
						   es);
	if (explain->result->bitmap)
		ExplainPropertyInteger("Bitmap Processes", NULL,
							   explain->result->builders, es);
}

/* A plan for a bitmap is executed without one if there is too little memory. */
static const char *
access_name(const Explain *explain)
{
	bool		planned = explain->state->plan->access == SSDPAR_STAR_BITMAP;

	if (planned && explain->es->analyze && explain->result != NULL &&
		!explain->result->bitmap && !explain->result->empty)
		return "sequential (no memory for the bitmap planned)";
	return planned ? "bitmap" : "sequential";
}

void
ssdpar_star_explain(CustomScanState *css, List *ancestors, ExplainState *es)
{
	SsdparStarState *state = (SsdparStarState *) css;
	Explain		explain = {.state = state, .es = es};

	explain.counters = palloc0(ssdpar_star_counters_size(state->plan));
	ssdpar_star_sum_counters(state, explain.counters);
	explain.result = state->result != NULL ? state->result :
		state->kept_result;
	ExplainPropertyText("Access", access_name(&explain), es);
	explain_reducers(&explain);
	explain_left_out(&explain);
	if (!es->analyze || explain.result == NULL)
		return;
	explain_removed(&explain);
	if (explain.result->bitmap && is_text(&explain))
		explain_pages_text(&explain);
	else if (explain.result->bitmap)
		explain_pages(&explain);
	explain_times(&explain);
	if (state->processes_run > 0)
		explain_processes(&explain);
}
