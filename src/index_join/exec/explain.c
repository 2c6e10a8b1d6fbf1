/*
 * explain.c
 *		EXPLAIN output of an index join: its plan and, with ANALYZE, what it
 *		has read.
 *
 * docs/reference/explain.md lists all properties.
 */
#include "postgres.h"

#include "nodes/makefuncs.h"
#include "parser/parsetree.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/ruleutils.h"

#include "index_join/exec/explain.h"
#include "prefetch/page_list.h"

static const char *
join_name(JoinType type)
{
	switch (type)
	{
		case JOIN_LEFT:
			return "Left";
		case JOIN_SEMI:
			return "Semi";
		case JOIN_ANTI:
			return "Anti";
		default:
			return "Inner";
	}
}

/* Returns the inner table's name in the query.  */
static const char *
table_name(const SsdparJoinExplained *join, const ExplainState *es)
{
	const char *name = NULL;

	if (join->inner <= (Index) list_length(es->rtable_names))
		name = list_nth(es->rtable_names, join->inner - 1);
	return name != NULL ? name :
		rt_fetch(join->inner, es->rtable)->eref->aliasname;
}

/* Shows a condition as core does, with the names of the query.  */
static void
explain_condition(const SsdparJoinExplained *join, const char *label,
				  int number, List *ancestors, ExplainState *es)
{
	List	   *quals = list_nth(join->scan->custom_exprs, number);
	List	   *context;

	if (quals == NIL)
		return;
	context = set_deparse_context_plan(es->deparse_cxt,
									   &join->scan->scan.plan, ancestors);
	ExplainPropertyText(label,
						deparse_expression((Node *)
										   make_ands_explicit(quals),
										   context, true, false), es);
}

/* Shows nfiltered2, as core does for its joins.  */
static void
explain_removed(const SsdparJoinExplained *join, ExplainState *es)
{
	const SsdparNodeInstrumentation *instrument = join->instrument;

	if (list_nth(join->scan->custom_exprs, SSDPAR_JOIN_FILTER) == NIL ||
		(instrument->nfiltered2 == 0 && es->format == EXPLAIN_FORMAT_TEXT))
		return;
	ExplainPropertyFloat("Rows Removed by Join Filter", NULL,
						 instrument->nfiltered2 / Max(instrument->nloops, 1.0),
						 0, es);
}

/* Indents a line as the static function in core's explain.c does.  */
static void
begin_line(ExplainState *es)
{
	appendStringInfoSpaces(es->str, es->indent * 2);
}

/* Maximum over the index's leaves and the table's pages.  */
static uint64
depth_reached(const SsdparJoinCounters *counters)
{
	return Max(counters->deepest, counters->index.deepest);
}

static uint64
waits(const SsdparJoinCounters *counters)
{
	return counters->waits.waits + counters->index.waits.waits;
}

static double
wait_milliseconds(const SsdparJoinCounters *counters)
{
	return (counters->waits.microseconds +
			counters->index.waits.microseconds) / 1000.0;
}

static void
explain_counters_text(const SsdparJoinExplained *join, ExplainState *es)
{
	const SsdparJoinCounters *counters = join->counters;

	begin_line(es);
	appendStringInfo(es->str, "Batches: " UINT64_FORMAT "  Keys: "
					 UINT64_FORMAT "  Distinct: " UINT64_FORMAT "\n",
					 counters->batches, counters->keys, counters->distinct);
	if (counters->cut > 0)
	{
		begin_line(es);
		appendStringInfo(es->str, "Keys Cut Short: " UINT64_FORMAT
						 "  Looked Up Alone: " UINT64_FORMAT "\n",
						 counters->cut, counters->alone);
	}
	begin_line(es);
	appendStringInfo(es->str, "Leaf Pages: " UINT64_FORMAT "  Index Rows: "
					 UINT64_FORMAT "\n",
					 counters->index.leaves, counters->index.rows);
	begin_line(es);
	appendStringInfo(es->str, "Heap Pages: " UINT64_FORMAT "  Merged: "
					 UINT64_FORMAT "\n",
					 counters->pages, counters->merged);
	begin_line(es);
	appendStringInfo(es->str, "Depth: %d  Reached: " UINT64_FORMAT
					 "  Waits: " UINT64_FORMAT,
					 ssdpar_page_depth(join->heap), depth_reached(counters),
					 waits(counters));
	if (es->timing)
		appendStringInfo(es->str, "  Wait Time: %.3f ms",
						 wait_milliseconds(counters));
	appendStringInfoChar(es->str, '\n');
}

static void
explain_counters(const SsdparJoinExplained *join, ExplainState *es)
{
	const SsdparJoinCounters *counters = join->counters;

	if (es->format == EXPLAIN_FORMAT_TEXT)
	{
		explain_counters_text(join, es);
		return;
	}
	ExplainPropertyUInteger("Batches", NULL, counters->batches, es);
	ExplainPropertyUInteger("Keys", NULL, counters->keys, es);
	ExplainPropertyUInteger("Distinct", NULL, counters->distinct, es);
	ExplainPropertyUInteger("Keys Cut Short", NULL, counters->cut, es);
	ExplainPropertyUInteger("Looked Up Alone", NULL, counters->alone, es);
	ExplainPropertyUInteger("Leaf Pages", NULL, counters->index.leaves, es);
	ExplainPropertyUInteger("Index Rows", NULL, counters->index.rows, es);
	ExplainPropertyUInteger("Heap Pages", NULL, counters->pages, es);
	ExplainPropertyUInteger("Merged", NULL, counters->merged, es);
	ExplainPropertyInteger("Depth", NULL, ssdpar_page_depth(join->heap), es);
	ExplainPropertyUInteger("Depth Max", NULL, depth_reached(counters), es);
	ExplainPropertyUInteger("Reads Waited For", NULL, waits(counters), es);
	if (es->timing)
		ExplainPropertyFloat("Wait Time", "ms", wait_milliseconds(counters),
							 3, es);
}

void
ssdpar_join_explain(const SsdparJoinExplained *join, List *ancestors,
					ExplainState *es)
{
	ExplainPropertyText("Join Type", join_name(join->plan->type), es);
	ExplainPropertyText("Inner Relation", table_name(join, es), es);
	ExplainPropertyText("Index", get_rel_name(join->plan->index), es);
	if (join->plan->index_only)
		ExplainPropertyBool("Index Only", true, es);
	explain_condition(join, "Index Cond", SSDPAR_JOIN_INDEX_CONDITION,
					  ancestors, es);
	explain_condition(join, "Join Filter", SSDPAR_JOIN_FILTER, ancestors, es);
	if (es->analyze && join->instrument != NULL)
	{
		explain_removed(join, es);
		if (join->leader_alone)
			ExplainPropertyText("Counted", "in the leader alone", es);
		explain_counters(join, es);
		if (join->plan->index_only)
			ExplainPropertyUInteger("Heap Fetches", NULL,
									join->counters->heap_fetches, es);
	}
}
