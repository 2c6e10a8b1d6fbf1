/*
 * actual_rows.c
 *		Finds the actual row counts of joins of measured tables.
 *
 * The row count of a set of tables is that of the scan or join which returns
 * exactly them: all of its rows, restricted only by the conditions of the set.
 * Therefore no counts are taken from below nodes that may stop early (Limit, a
 * merge join, a window), or from the inner side of a nested loop, whose rows
 * depend on the outer one.  With a star scan below, only the join of all
 * tables counts, because the star scan drops rows by the keys of tables that
 * are joined further up.
 */
#include "postgres.h"

#include "nodes/execnodes.h"

#include "base/compat.h"
#include "statement/actual_rows.h"

typedef struct Walk
{
	SsdparReport *report;
	Relids		all;			/* tables of the plan's topmost query level */
} Walk;

/* The subtree of a node, including itself. */
typedef struct Below
{
	bool		known;
	Relids		tables;
	bool		partial;		/* the processes of a Gather share the rows */
	bool		reduced;		/* by a star scan */
} Below;

static Below look_below(PlanState *node, const Walk *walk, bool complete);

/*
 * Rows that every process produces completely are counted once per process.
 * Returns -1 if the node was run several times or never.
 */
static double
rows_of(const PlanState *node, bool partial, int processes)
{
	const SsdparNodeInstrumentation *counted = node->instrument;

	if (counted == NULL || counted->nloops < 1.0 ||
		counted->nloops > processes)
		return -1.0;
	return partial ? counted->ntuples : counted->ntuples / counted->nloops;
}

/* The Gather's loop count tells how many processes there were. */
static int
most_processes(const PlanState *node)
{
	return node->worker_instrument == NULL ? 1 :
		node->worker_instrument->num_workers + 1;
}

static void
note_rows(const PlanState *node, const Walk *walk, const Below *below)
{
	ListCell   *lc;

	if (!below->known ||
		(below->reduced && !bms_equal(below->tables, walk->all)))
		return;
	foreach(lc, walk->report->rows)
	{
		SsdparReportedRows *rows = lfirst(lc);

		if (rows->relids != NULL && bms_equal(rows->relids, below->tables))
			rows->actual = rows_of(node, below->partial,
								   most_processes(node));
	}
}

static Below
look_at_scan(const PlanState *node)
{
	Below		below = {.known = true};
	Index		table = ((const Scan *) node->plan)->scanrelid;

	if (IsA(node->plan, CustomScan))
		below.tables = ((const CustomScan *) node->plan)->custom_relids;
	else if (table > 0)
		below.tables = bms_make_singleton(table);
	else
		below.known = false;
	below.partial = node->plan->parallel_aware;
	below.reduced = IsA(node->plan, CustomScan);
	return below;
}

/*
 * Does the join read all rows of its outer side?  A hash join does not if its
 * hash table is empty.
 */
static bool
reads_outer(const PlanState *join)
{
	const PlanState *inner = innerPlanState(join);

	switch (nodeTag(join->plan))
	{
		case T_NestLoop:
			return true;
		case T_HashJoin:
			return outerPlanState(inner)->instrument != NULL &&
				outerPlanState(inner)->instrument->ntuples > 0.0;
		default:
			return false;
	}
}

static Below
look_at_join(PlanState *node, const Walk *walk, bool complete)
{
	Below		outer = look_below(outerPlanState(node), walk,
								   complete && reads_outer(node));
	Below		inner = look_below(innerPlanState(node), walk,
								   complete && IsA(node->plan, HashJoin));

	outer.known = outer.known && inner.known;
	outer.tables = bms_union(outer.tables, inner.tables);
	outer.partial = outer.partial || inner.partial;
	outer.reduced = outer.reduced || inner.reduced;
	return outer;
}

/* complete tells whether all rows of the node are requested exactly once. */
static Below
look_below(PlanState *node, const Walk *walk, bool complete)
{
	Below		below = {.known = false};

	switch (nodeTag(node->plan))
	{
		case T_SeqScan:
		case T_IndexScan:
		case T_IndexOnlyScan:
		case T_BitmapHeapScan:
		case T_TidScan:
		case T_TidRangeScan:
		case T_CustomScan:
		case T_SubqueryScan:
		case T_FunctionScan:
		case T_ValuesScan:
		case T_CteScan:
			below = look_at_scan(node);
			break;
		case T_NestLoop:
		case T_MergeJoin:
		case T_HashJoin:
			below = look_at_join(node, walk, complete);
			break;
		case T_Gather:
		case T_GatherMerge:
		case T_Hash:
		case T_Material:
		case T_Sort:
		case T_IncrementalSort:
		case T_Unique:
		case T_Group:
		case T_Agg:
			return look_below(outerPlanState(node), walk, complete);
		case T_Result:
			return outerPlanState(node) == NULL ? below :
				look_below(outerPlanState(node), walk, complete);
		case T_Limit:
		case T_WindowAgg:
		case T_Memoize:
			return look_below(outerPlanState(node), walk, false);
		default:
			return below;
	}
	if (complete)
		note_rows(node, walk, &below);
	return below;
}

void
ssdpar_find_actual_rows(QueryDesc *query, SsdparReport *report)
{
	Walk		walk = {.report = report};
	ListCell   *lc;

	foreach(lc, report->rows)
		((SsdparReportedRows *) lfirst(lc))->actual = -1.0;
	if (query->planstate == NULL || query->planstate->instrument == NULL)
		return;
	walk.all = look_below(query->planstate, &walk, false).tables;
	look_below(query->planstate, &walk, true);
}
