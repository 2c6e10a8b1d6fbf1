/*
 * report.c
 *		What was measured for a statement, for its EXPLAIN.
 *
 * It outlives the planning, as EXPLAIN asks after it, in a memory context of
 * its own that only a statement has for which something was measured.
 */
#include "postgres.h"

#include "lib/stringinfo.h"
#include "parser/parsetree.h"
#include "utils/memutils.h"

#include "join_search/corrected_rows.h"
#include "join_search/report.h"
#include "prefetch/counters.h"

struct SsdparReportInWork
{
	MemoryContext context;
	SsdparReport report;
};

/* Of the statement being planned, and of the one planned last. */
static SsdparReportInWork *in_work = NULL;
static SsdparReportInWork *last = NULL;

static void
forget(SsdparReportInWork *report)
{
	if (report != NULL)
		MemoryContextDelete(report->context);
}

static SsdparReportInWork *
begin_report(void)
{
	MemoryContext context = AllocSetContextCreate(TopMemoryContext,
												  "ssdpar row counts",
												  ALLOCSET_SMALL_SIZES);
	SsdparReportInWork *report = MemoryContextAllocZero(context,
														sizeof(*report));

	report->context = context;
	return report;
}

void
ssdpar_report_measured(const SsdparMeasured *measured)
{
	SsdparMeasured *sum;

	if (in_work == NULL)
	{
		in_work = begin_report();
		ssdpar_count(SSDPAR_COUNT_MEASURED, 1);
	}
	ssdpar_count(SSDPAR_COUNT_MEASURING, measured->milliseconds * 1000.0);
	sum = &in_work->report.sum;
	sum->tables += measured->tables;
	sum->joins += measured->joins;
	sum->keys += measured->keys;
	sum->pages += measured->pages;
	sum->milliseconds += measured->milliseconds;
}

static char *
aliases(PlannerInfo *root, Relids relids)
{
	StringInfoData text;
	int			rti = -1;

	initStringInfo(&text);
	while ((rti = bms_next_member(relids, rti)) >= 0)
		appendStringInfo(&text, "%s%s", text.len > 0 ? ", " : "",
						 rt_fetch(rti, root->parse->rtable)->eref->aliasname);
	return text.data;
}

/* The numbers of relations in the finished plan are those of its top level. */
void
ssdpar_report_rows(PlannerInfo *root, const SsdparKnownRows *known,
				   double assumed)
{
	MemoryContext planner = MemoryContextSwitchTo(in_work->context);
	SsdparReportedRows *rows = palloc0_object(SsdparReportedRows);

	rows->tables = aliases(root, known->relids);
	if (root->parent_root == NULL)
		rows->relids = bms_copy(known->relids);
	rows->measured = known->rows;
	rows->bound = known->found == 0 && !known->exact;
	rows->assumed = assumed;
	rows->planned = ssdpar_corrected_rows(known, assumed);
	rows->actual = -1.0;
	in_work->report.rows = lappend(in_work->report.rows, rows);
	MemoryContextSwitchTo(planner);
	ssdpar_count(SSDPAR_COUNT_ROW_COUNTS, 1);
}

void
ssdpar_report_not_used(void)
{
	ListCell   *lc;

	foreach(lc, in_work->report.rows)
	{
		SsdparReportedRows *rows = lfirst(lc);

		if (rows->assumed >= 0.0)
			rows->planned = rows->assumed;
	}
}

static char *
column_names(PlannerInfo *root, List *columns)
{
	StringInfoData text;
	ListCell   *lc;

	initStringInfo(&text);
	foreach(lc, columns)
	{
		const Var  *var = lfirst(lc);
		RangeTblEntry *rte = rt_fetch(var->varno, root->parse->rtable);

		appendStringInfo(&text, "%s%s.%s", text.len > 0 ? ", " : "",
						 rte->eref->aliasname,
						 get_rte_attribute_name(rte, var->varattno));
	}
	return text.data;
}

void
ssdpar_report_distinct(PlannerInfo *root, List *columns, double measured,
					   double assumed)
{
	MemoryContext planner = MemoryContextSwitchTo(in_work->context);
	SsdparReportedDistinct *distinct = palloc0_object(SsdparReportedDistinct);

	distinct->column = column_names(root, columns);
	distinct->measured = measured;
	distinct->assumed = assumed;
	in_work->report.distinct = lappend(in_work->report.distinct, distinct);
	MemoryContextSwitchTo(planner);
}

SsdparReport *
ssdpar_take_report(void)
{
	SsdparReportInWork *taken = last;

	if (taken == NULL)
		return NULL;
	last = NULL;
	MemoryContextSetParent(taken->context, CurrentMemoryContext);
	return &taken->report;
}

SsdparReportInWork *
ssdpar_report_begin(void)
{
	SsdparReportInWork *outer = in_work;

	in_work = NULL;
	return outer;
}

void
ssdpar_report_end(SsdparReportInWork *outer, bool finished)
{
	/* seldom, after the time that measuring has taken */
	if (in_work != NULL)
		ssdpar_counters_flush();
	if (finished)
	{
		forget(last);
		last = in_work;
	}
	else
		forget(in_work);
	in_work = outer;
}
