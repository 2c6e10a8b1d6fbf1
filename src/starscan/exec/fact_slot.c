/*
 * fact_slot.c
 *		The slots of a star scan, and what is compiled for them.
 */
#include "postgres.h"

#include "access/tableam.h"
#include "executor/executor.h"
#include "nodes/plannodes.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "starscan/exec/fact_slot.h"
#include "starscan/exec/joined_columns.h"

/*
 * The server has given the node a virtual scan slot, since 15 lets a custom
 * scan choose no other.  Take the table's own kind and build what depends on
 * it again: expressions are compiled for the kind of slot that the node has at
 * that time.
 *
 * Without a projection the slot itself goes up, and nodes above take columns
 * out of it by number: it must have them all.
 */
TupleTableSlot *
ssdpar_fact_slot_init(CustomScanState *css, EState *estate)
{
	Relation	rel = css->ss.ss_currentRelation;
	TupleTableSlot *slot;

	ssdpar_init_scan_tuple_slot(estate, &css->ss, RelationGetDescr(rel),
								table_slot_callbacks(rel), 0);
	slot = css->ss.ss_ScanTupleSlot;
	css->ss.ps.subPlan = NIL;	/* all of the following add to it */
	css->ss.ps.qual = ExecInitQual(css->ss.ps.plan->qual, &css->ss.ps);
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
