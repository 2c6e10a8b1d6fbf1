/*
 * explain.c
 *		EXPLAIN output of a star scan: its plan and, with ANALYZE, totals over
 *		all processes and loops.
 *
 * In JSON, XML and YAML each fact is a separate property, so that programs
 * need not parse sentences.  In text format related facts share a line, as in
 * core's Buffers and Heap Blocks.  This file measures nothing.
 * docs/reference/explain.md lists all properties.
 */
#include "postgres.h"

#include "parser/parsetree.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "device/explain_busy.h"
#include "prefetch/page_list.h"
#include "starscan/exec/explain.h"
#include "starscan/exec/read_ahead.h"

static inline bool
is_text(const ExplainState *es)
{
	return es->format == EXPLAIN_FORMAT_TEXT;
}

/*
 * Returns the name of a table in the query; for planned, see fact in
 * star_plan.h.
 */
static const char *
table_name(const SsdparStarExplained *star, Index planned,
		   const ExplainState *es)
{
	Index		rti = planned + (star->scanrelid - star->plan->fact);
	const char *name = NULL;

	if (rti < 1 || rti > (Index) list_length(es->rtable))
		return "?";
	if (rti <= (Index) list_length(es->rtable_names))
		name = list_nth(es->rtable_names, rti - 1);
	return name != NULL ? name : rt_fetch(rti, es->rtable)->eref->aliasname;
}

/*
 * Returns the fact's columns that a reducer compares; NIL if it reduces
 * another dimension.
 */
static List *
column_names(const SsdparStarExplained *star, const SsdparReducer *reducer)
{
	List	   *names = NIL;

	if (reducer->target != SSDPAR_TARGET_FACT)
		return NIL;
	for (int i = 0; i < reducer->key.ncolumns; i++)
		names = lappend(names,
						get_attname(star->fact != NULL ?
									RelationGetRelid(star->fact) : star->table,
									reducer->key.target_columns[i], false));
	return names;
}

/* Returns the name of the table that a reducer reduces.  */
static const char *
reduced_name(const SsdparStarExplained *star, const SsdparReducer *reducer,
			 const ExplainState *es)
{
	const SsdparStarPlan *plan = star->plan;

	return table_name(star, reducer->target == SSDPAR_TARGET_FACT ?
					  plan->fact : plan->reducers[reducer->target].dimension,
					  es);
}

/* Returns the columns that joined reducer n adds to the fact's.  */
static List *
joined_names(const SsdparStarExplained *star, int n)
{
	int			first = list_length(star->columns);
	List	   *names = NIL;

	for (int i = n; i < star->plan->nreducers; i++)
		first -= star->plan->reducers[i].njoined_columns;
	for (int i = 0; i < star->plan->reducers[n].njoined_columns; i++)
	{
		TargetEntry *entry = list_nth(star->columns, first + i);

		names = lappend(names, entry->resname);
	}
	return names;
}

static void
append_names(StringInfo line, List *names)
{
	ListCell   *lc;

	foreach(lc, names)
		appendStringInfo(line, "%s%s",
						 foreach_current_index(lc) > 0 ? ", " : "",
						 (char *) lfirst(lc));
}

/* Returns the fraction of tested rows that passed.  */
static double
fraction_kept(const SsdparFilterCount *count)
{
	return 1.0 - (double) count->dropped / count->rows;
}

/*
 * Reducers.
 */

/* Appends the plan of a reducer.  */
static void
append_planned(StringInfo line, const SsdparStarExplained *star, int i,
			   const ExplainState *es)
{
	const SsdparReducer *reducer = &star->plan->reducers[i];
	List	   *columns = column_names(star, reducer);

	appendStringInfo(line, "%s on ",
					 table_name(star, reducer->dimension, es));
	append_names(line, columns);
	if (columns == NIL)
		appendStringInfoString(line, reduced_name(star, reducer, es));
	if (reducer->index_planned)
		appendStringInfo(line, " using %s", get_rel_name(reducer->index));
	if (reducer->joined)
	{
		appendStringInfo(line, ", joined%s",
						 reducer->njoined_columns > 0 ? ": " : "");
		append_names(line, joined_names(star, i));
	}
}

/* Shows a reducer in one line: plan, (estimates), (actual values).  */
static void
explain_reducer_text(const SsdparStarExplained *star, int i, ExplainState *es)
{
	const SsdparReducer *reducer = &star->plan->reducers[i];
	StringInfoData line;

	initStringInfo(&line);
	append_planned(&line, star, i, es);
	if (es->costs)
		appendStringInfo(&line, "  (keys=%.0f kept=%.4f)", reducer->keys,
						 reducer->selectivity);
	if (es->analyze && star->result != NULL)
	{
		const SsdparReducerResult *found = &star->result->reducers[i];
		const SsdparFilterCount *count = &star->counters->filters[i];

		appendStringInfo(&line, " (actual keys=" UINT64_FORMAT, found->keys);
		if (found->kind != SSDPAR_KEYS_NONE)
			appendStringInfo(&line, " in %s",
							 ssdpar_key_set_kind_name(found->kind));
		else if (found->rows > 0)
			appendStringInfoString(&line, ", no memory for them");
		if (found->by_index)
			appendStringInfo(&line, "; %s rows=" UINT64_FORMAT " leaves="
							 UINT64_FORMAT, reducer->index_planned ? "index" :
							 psprintf("index %s added:",
									  get_rel_name(reducer->index)),
							 found->index_rows, found->index_leaves);
		else if (reducer->index_planned)
			appendStringInfoString(&line, "; index not read");
		if (count->rows > 0)
			appendStringInfo(&line, "; tested=" UINT64_FORMAT " kept=%.4f",
							 count->rows, fraction_kept(count));
		appendStringInfoChar(&line, ')');
	}
	ExplainPropertyText("Reducer", line.data, es);
	pfree(line.data);
}

static void
explain_reducer(const SsdparStarExplained *star, int i, ExplainState *es)
{
	const SsdparReducer *reducer = &star->plan->reducers[i];
	List	   *columns = column_names(star, reducer);

	ExplainOpenGroup("Reducer", NULL, true, es);
	ExplainPropertyText("Dimension",
						table_name(star, reducer->dimension, es), es);
	ExplainPropertyText("Reduces", reduced_name(star, reducer, es), es);
	if (columns != NIL)
		ExplainPropertyList("Columns", columns, es);
	if (OidIsValid(reducer->index))
	{
		ExplainPropertyText("Index", get_rel_name(reducer->index), es);
		ExplainPropertyBool("Index Planned", reducer->index_planned, es);
	}
	if (reducer->joined)
		ExplainPropertyList("Joined", joined_names(star, i), es);
	if (es->costs)
	{
		ExplainPropertyFloat("Estimated Keys", NULL, reducer->keys, 0, es);
		ExplainPropertyFloat("Estimated Kept", NULL, reducer->selectivity, 6,
							 es);
	}
	if (es->analyze && star->result != NULL)
	{
		const SsdparReducerResult *found = &star->result->reducers[i];
		const SsdparFilterCount *count = &star->counters->filters[i];

		ExplainPropertyUInteger("Keys", NULL, found->keys, es);
		ExplainPropertyText("Key Set", ssdpar_key_set_kind_name(found->kind),
							es);
		ExplainPropertyBool("Index Read", found->by_index, es);
		ExplainPropertyUInteger("Index Rows", NULL, found->index_rows, es);
		ExplainPropertyUInteger("Leaves", NULL, found->index_leaves, es);
		ExplainPropertyUInteger("Rows Tested", NULL, count->rows, es);
		if (count->rows > 0)
			ExplainPropertyFloat("Kept", NULL, fraction_kept(count), 6, es);
	}
	ExplainCloseGroup("Reducer", NULL, true, es);
}

/*
 * Shows at the rows of which dimensions planning has looked, and the fraction
 * of rows that all dimensions together keep.
 */
static void
explain_looks(const SsdparStarExplained *star, ExplainState *es)
{
	const SsdparStarPlan *plan = star->plan;
	List	   *names = NIL;
	StringInfoData line;
	ListCell   *lc;

	for (int i = 0; i < plan->nreducers; i++)
	{
		const SsdparReducer *reducer = &plan->reducers[i];

		if (reducer->looked_at)
			names = lappend(names, unconstify(char *,
											  table_name(star,
														 reducer->dimension,
														 es)));
	}
	if (names == NIL || !es->costs)
		return;
	if (!is_text(es))
	{
		ExplainPropertyList("Rows Measured", names, es);
		ExplainPropertyFloat("Kept Together", NULL, plan->kept, 6, es);
		return;
	}
	initStringInfo(&line);
	foreach(lc, names)
		appendStringInfo(&line, "%s%s", foreach_current_index(lc) > 0 ?
						 ", " : "", (char *) lfirst(lc));
	appendStringInfo(&line, "  (kept=%.4f)", plan->kept);
	ExplainPropertyText("Rows Measured", line.data, es);
	pfree(line.data);
}

/*
 * Shows the dimensions that were considered but would have increased the cost.
 */
static void
explain_left_out(const SsdparStarExplained *star, ExplainState *es)
{
	const SsdparStarPlan *plan = star->plan;

	if (plan->nleft_out == 0 || !es->verbose || !es->costs)
		return;
	ExplainOpenGroup("Left Out", "Left Out", false, es);
	for (int i = 0; i < plan->nleft_out; i++)
	{
		const SsdparLeftOut *left_out = &plan->left_out[i];
		const char *name = table_name(star, left_out->dimension, es);

		if (is_text(es))
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
 * Pages of the bitmap.
 *
 * If the query ends early, a read stream has read more pages than were
 * visited, so hits cannot be negative.  The requests and the depth of a read
 * stream are not known; depth_n is 0 in that case.
 */

static uint64
pages_hit(const SsdparReadCounters *read)
{
	return read->pages - Min(read->pages, read->reads);
}

static double
mean_depth(const SsdparReadCounters *read)
{
	return (double) read->depth_sum / read->depth_n;
}

static void
explain_pages_text(const SsdparStarExplained *star, ExplainState *es)
{
	const SsdparReadCounters *read = &star->counters->read;
	char	   *line;

	line = psprintf("exact=%u lossy=%u", star->result->exact_pages,
					star->result->lossy_pages);
	ExplainPropertyText("Bitmap Pages", line, es);
	line = psprintf("hit=" UINT64_FORMAT " read=" UINT64_FORMAT,
					pages_hit(read), read->reads);
	if (read->depth_n > 0)
		line = psprintf("%s asked=" UINT64_FORMAT " merged=" UINT64_FORMAT
						" waits=" UINT64_FORMAT,
						line, read->asked, read->merged, read->waits);
	ExplainPropertyText("Heap Pages", line, es);
	line = psprintf("%s, depth %d", ssdpar_read_ahead_method(star->fact),
					ssdpar_page_depth(star->fact));
	if (read->depth_n > 0)
		line = psprintf("%s, reached mean %.1f max " UINT64_FORMAT, line,
						mean_depth(read), read->depth_max);
	ExplainPropertyText("Read Ahead", line, es);
}

static void
explain_pages(const SsdparStarExplained *star, ExplainState *es)
{
	const SsdparReadCounters *read = &star->counters->read;

	ExplainPropertyUInteger("Exact Pages", NULL, star->result->exact_pages,
							es);
	ExplainPropertyUInteger("Lossy Pages", NULL, star->result->lossy_pages,
							es);
	ExplainPropertyUInteger("Pages Hit", NULL, pages_hit(read), es);
	ExplainPropertyUInteger("Pages Read", NULL, read->reads, es);
	ExplainPropertyText("Read Ahead", ssdpar_read_ahead_method(star->fact),
						es);
	ExplainPropertyInteger("Depth", NULL, ssdpar_page_depth(star->fact), es);
	if (read->depth_n == 0)
		return;
	ExplainPropertyUInteger("Pages Asked", NULL, read->asked, es);
	ExplainPropertyUInteger("Pages Merged", NULL, read->merged, es);
	ExplainPropertyUInteger("Reads Waited For", NULL, read->waits, es);
	ExplainPropertyFloat("Depth Mean", NULL, mean_depth(read), 1, es);
	ExplainPropertyUInteger("Depth Max", NULL, read->depth_max, es);
}

/*
 * Shows the time of each phase, summed over all processes as the node's own
 * time is.  Processes that wait for the keys do nothing else, so the remaining
 * time was spent on the heap.  The busy figures of the heap phase also cover
 * the work of the nodes above during that phase.
 */
static void
explain_times(const SsdparStarExplained *star, ExplainState *es)
{
	const SsdparStarResult *result = star->result;
	const SsdparBusy *busy = star->counters->busy;
	double		heap;

	if (!es->timing || star->instrument == NULL)
		return;
	heap = ssdpar_node_seconds(star->instrument) * 1000.0 -
		INSTR_TIME_GET_MILLISEC(star->counters->prepare_time);
	ExplainPropertyFloat("Key Time", "ms",
						 INSTR_TIME_GET_MILLISEC(result->keys_time), 3, es);
	ExplainPropertyFloat("Bitmap Time", "ms",
						 INSTR_TIME_GET_MILLISEC(result->bitmap_time), 3, es);
	ExplainPropertyFloat("Heap Time", "ms", Max(heap, 0.0), 3, es);
	ssdpar_explain_busy("Key Busy", &busy[SSDPAR_PHASE_KEYS], es);
	if (result->bitmap)
		ssdpar_explain_busy("Bitmap Busy", &busy[SSDPAR_PHASE_BITMAP], es);
	ssdpar_explain_busy("Heap Busy", &busy[SSDPAR_PHASE_HEAP], es);
}

/*
 * Shows the access that was executed.  A planned bitmap becomes sequential if
 * there was too little memory for the bitmap or if it had too many pages.
 */
static void
explain_access(const SsdparStarExplained *star, ExplainState *es)
{
	bool		planned = star->plan->access == SSDPAR_STAR_BITMAP;
	bool		fell_back = planned && es->analyze && star->result != NULL &&
		!star->result->bitmap && !star->result->empty;

	if (fell_back && is_text(es))
		ExplainPropertyText("Access", star->result->too_many_pages ?
							"sequential (too many pages for the bitmap planned)" :
							"sequential (no memory for the bitmap planned)",
							es);
	else
		ExplainPropertyText("Access", planned && !fell_back ? "bitmap" :
							"sequential", es);
	if (!fell_back || is_text(es))
		return;
	ExplainPropertyText("Planned Access", "bitmap", es);
	ExplainPropertyText("Access Changed", star->result->too_many_pages ?
						"too many pages" : "no memory", es);
}

/* Plan viewers show lists of lines but not groups.  */
static void
explain_reduced_by(const SsdparStarExplained *star, ExplainState *es)
{
	List	   *lines = NIL;

	for (int i = 0; i < star->plan->nreducers; i++)
	{
		StringInfoData line;

		initStringInfo(&line);
		append_planned(&line, star, i, es);
		lines = lappend(lines, line.data);
	}
	ExplainPropertyList("Reduced By", lines, es);
}

static void
explain_reducers(const SsdparStarExplained *star, ExplainState *es)
{
	if (!is_text(es))
		explain_reduced_by(star, es);
	ExplainOpenGroup("Reducers", "Reducers", false, es);
	for (int i = 0; i < star->plan->nreducers; i++)
	{
		if (is_text(es))
			explain_reducer_text(star, i, es);
		else
			explain_reducer(star, i, es);
	}
	ExplainCloseGroup("Reducers", "Reducers", false, es);
	explain_looks(star, es);
	explain_left_out(star, es);
}

/* Shows the pages requested while keys were collected, for the last run.  */
static void
explain_asked(const SsdparStarExplained *star, ExplainState *es)
{
	const SsdparStarResult *result = star->result;

	if (!es->analyze || result == NULL)
		return;
	if (!is_text(es))
	{
		ExplainPropertyUInteger("Fact Pages Asked During Keys", NULL,
								result->fact_asked, es);
		ExplainPropertyUInteger("Dimension Pages Asked During Keys", NULL,
								result->dimensions_asked, es);
	}
	else if (result->fact_asked + result->dimensions_asked > 0)
		ExplainPropertyText("Asked During Keys",
							psprintf("fact=" UINT64_FORMAT " dimensions="
									 UINT64_FORMAT, result->fact_asked,
									 result->dimensions_asked), es);
}

void
ssdpar_star_explain_keys(const SsdparStarExplained *star, ExplainState *es)
{
	explain_reducers(star, es);
	explain_asked(star, es);
	if (es->analyze && es->timing && star->result != NULL)
		ExplainPropertyFloat("Key Time", "ms",
							 INSTR_TIME_GET_MILLISEC(star->result->keys_time),
							 3, es);
}

void
ssdpar_star_explain(const SsdparStarExplained *star, ExplainState *es)
{
	uint64		removed = 0;

	if (star->pruned)
	{
		ExplainPropertyBool("Pruned by Keys", true, es);
		return;
	}
	explain_access(star, es);
	explain_reducers(star, es);
	if (!es->analyze || star->result == NULL)
		return;
	for (int i = 0; i < star->plan->nreducers; i++)
		removed += star->counters->filters[i].dropped +
			star->counters->filters[i].partnerless;
	ExplainPropertyUInteger("Rows Removed by Keys", NULL, removed, es);
	explain_asked(star, es);
	if (star->result->bitmap && is_text(es))
		explain_pages_text(star, es);
	else if (star->result->bitmap)
		explain_pages(star, es);
	ssdpar_io_stats_explain(&star->counters->read.io, es);
	explain_times(star, es);
	if (star->processes > 0)
	{
		/*
		 * all processes; those that read dimensions; those that read indexes
		 */
		ExplainPropertyInteger("Processes", NULL, star->processes, es);
		if (star->result->key_readers > 1)
			ExplainPropertyInteger("Key Processes", NULL,
								   star->result->key_readers, es);
		if (star->result->bitmap)
			ExplainPropertyInteger("Bitmap Processes", NULL,
								   star->result->index_readers, es);
	}
}
