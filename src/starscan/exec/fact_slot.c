/*
 * fact_slot.c
 *		Slots of a star scan, and the expressions compiled for them.
 */
#include "postgres.h"

#include "access/tableam.h"
#include "executor/executor.h"
#include "nodes/plannodes.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "star/row_subquery.h"
#include "starscan/exec/fact_slot.h"
#include "starscan/exec/joined_columns.h"

/*
 * Executing a subquery for a row takes longer than testing keys.  Core puts
 * conditions with subqueries last, so they can be evaluated after the keys.
 */
static int
count_early(const List *quals)
{
	int			n = list_length(quals);

	while (n > 0 && ssdpar_runs_subquery(list_nth(quals, n - 1)))
		n--;
	return n;
}

/*
 * PostgreSQL 15 does not let a custom scan choose the kind of its scan slot
 * and gives it a virtual one.  We replace it by the table's own kind and
 * rebuild everything that depends on it, because expressions are compiled for
 * a kind of slot.
 *
 * Without a projection, the slot itself is returned.  Nodes above access its
 * columns by number, so it must have all of them.
 */
TupleTableSlot *
ssdpar_fact_slot_init(CustomScanState *css, EState *estate,
					  ExprState **late_filter)
{
	List	   *quals = css->ss.ps.plan->qual;
	int			nearly = count_early(quals);
	Relation	rel = css->ss.ss_currentRelation;
	TupleTableSlot *slot;

	ssdpar_init_scan_tuple_slot(estate, &css->ss, RelationGetDescr(rel),
								table_slot_callbacks(rel), 0);
	slot = css->ss.ss_ScanTupleSlot;
	css->ss.ps.subPlan = NIL;	/* the following calls add to it */
	css->ss.ps.qual = ExecInitQual(list_truncate(list_copy(quals), nearly),
								   &css->ss.ps);
	*late_filter = ExecInitQual(list_copy_tail(quals, nearly), &css->ss.ps);
	if (((CustomScan *) css->ss.ps.plan)->custom_scan_tlist != NIL)
	{
		ssdpar_joined_columns_init_slot(css, estate);
		return slot;
	}
	ExecAssignScanProjectionInfo(&css->ss);
	Assert(css->ss.ss_ScanTupleSlot->tts_ops == table_slot_callbacks(rel));
	Assert(css->ss.ps.ps_ProjInfo != NULL ||
		   ExecGetResultType(&css->ss.ps)->natts ==
		   RelationGetDescr(rel)->natts);
	return slot;
}
