/*
 * joined_columns.c
 *		Adds columns of joined dimensions to the fact's rows.
 *
 * A reducer is joined if the plan has no join with its dimension above the
 * scan.  Rows that the earlier filters let pass by mistake must therefore be
 * dropped here: the key of each row is looked up among all keys of the
 * dimension, exactly. star/covered_join.c proves that this is equivalent to
 * the join, and that a row has at most one partner or that any partner will
 * do.  If no column of the dimension is needed, an exact set of its keys is
 * sufficient.  For small keys it takes a few kilobytes, whereas each lookup of
 * a row by its key would miss the CPU caches.
 *
 * Only Datums are copied.  The values stay where they are: in the fact's page,
 * which is pinned, and in the result.
 */
#include "postgres.h"

#include "access/sysattr.h"
#include "executor/executor.h"
#include "nodes/plannodes.h"
#include "optimizer/optimizer.h"

#include "base/compat.h"
#include "keys/key_code.h"
#include "starscan/exec/joined_columns.h"

typedef struct JoinedReducer
{
	AttrNumber	column;			/* key column in the fact's row ... */
	SsdparIntegerType integer;	/* ... whose value is its code */
	SsdparKeySet *const *set;	/* filled when it has been collected */
	const SsdparKeyRows *const *rows;	/* the same, if it has joined columns */
	int			ncolumns;
	int			first_column;	/* in the slot, from 0 */
	SsdparFilterCount *count;
} JoinedReducer;

struct SsdparJoinedColumns
{
	TupleTableSlot *slot;
	int			nfact_columns;	/* the leading columns that are needed */
	int			nreducers;
	JoinedReducer reducers[FLEXIBLE_ARRAY_MEMBER];
};

void
ssdpar_joined_columns_init_slot(CustomScanState *css, EState *estate)
{
	CustomScan *plan = (CustomScan *) css->ss.ps.plan;

	ssdpar_init_scan_tuple_slot(estate, &css->ss,
								ExecTypeFromTL(plan->custom_scan_tlist),
								&TTSOpsVirtual, 0);
	ExecAssignScanProjectionInfoWithVarno(&css->ss, INDEX_VAR);
}

/* Returns the last column of the fact that the node's target list uses.  */
static int
last_column_wanted(const Plan *plan, int nfact_columns)
{
	Bitmapset  *columns = NULL;
	int			last = 0;
	int			member = -1;

	pull_varattnos((Node *) plan->targetlist, INDEX_VAR, &columns);
	while ((member = bms_next_member(columns, member)) >= 0)
	{
		int			column = member + FirstLowInvalidHeapAttributeNumber;

		if (column <= nfact_columns)
			last = Max(last, column);
	}
	return last;
}

/*
 * Returns the number of the fact's columns in the slot.  The slot must have as
 * many columns as the plan expects.  If other nodes read the fact, there is
 * nothing to compare that number with.
 */
static int
count_fact_columns(const SsdparStarPlan *plan, const ScanState *ss)
{
	int			natts = ss->ss_ScanTupleSlot->tts_tupleDescriptor->natts;
	int			wanted;

	for (int i = 0; i < plan->nreducers; i++)
		natts -= plan->reducers[i].njoined_columns;
	wanted = ss->ss_currentRelation == NULL ? Max(natts, 1) :
		RelationGetDescr(ss->ss_currentRelation)->natts;
	if (natts != wanted)
		elog(ERROR, "star scan has %d columns, not %d", natts, wanted);
	return natts;
}

bool
ssdpar_has_joined_reducers(const SsdparStarPlan *plan)
{
	for (int i = 0; i < plan->nreducers; i++)
	{
		if (plan->reducers[i].joined)
			return true;
	}
	return false;
}

SsdparJoinedColumns *
ssdpar_joined_columns_create(const SsdparStarPlan *plan,
							 const SsdparStarData *data, ScanState *ss,
							 SsdparFilterCount *counts)
{
	SsdparJoinedColumns *joined;
	int			column;

	if (!ssdpar_has_joined_reducers(plan))
		return NULL;
	joined = palloc0(offsetof(SsdparJoinedColumns, reducers) +
					 plan->nreducers * sizeof(JoinedReducer));
	joined->slot = ss->ss_ScanTupleSlot;
	column = count_fact_columns(plan, ss);
	joined->nfact_columns = last_column_wanted(ss->ps.plan, column);
	for (int i = 0; i < plan->nreducers; i++)
	{
		const SsdparReducer *reducer = &plan->reducers[i];
		JoinedReducer *one = &joined->reducers[joined->nreducers];
		SsdparIntegerType sides[2];

		if (!reducer->joined)
			continue;
		Assert(reducer->target == SSDPAR_TARGET_FACT &&
			   ssdpar_key_code_is_exact(&reducer->key));
		(void) ssdpar_integer_strategy(reducer->key.operators[0], sides);
		one->column = reducer->key.target_columns[0];
		one->integer = sides[0];
		one->set = &data->sets[i];
		one->rows = &data->joined[i];
		one->ncolumns = reducer->njoined_columns;
		one->first_column = column;
		one->count = &counts[i];
		column += reducer->njoined_columns;
		joined->nreducers++;
	}

	/* columns that are not needed */
	memset(joined->slot->tts_isnull, true, column * sizeof(bool));
	return joined;
}

/* Looks up the partner of the row in slot and copies its columns to wide.  */
static bool
find_partner(const JoinedReducer *reducer, TupleTableSlot *slot,
			 TupleTableSlot *wide)
{
	const uint64 *row;
	uint64		code;

	slot_getsomeattrs(slot, reducer->column);
	if (slot->tts_isnull[reducer->column - 1])
		return false;
	code = (uint64) ssdpar_integer_value(reducer->integer,
										 slot->tts_values[reducer->column - 1]);
	if (reducer->ncolumns == 0)
	{
		Assert((*reducer->set)->kind == SSDPAR_KEYS_BIT_MAP ||
			   (*reducer->set)->kind == SSDPAR_KEYS_HASH);
		return ssdpar_key_set_has(*reducer->set, code);
	}
	Assert(*reducer->rows != NULL);
	row = ssdpar_key_rows_find(*reducer->rows, code);
	if (row == NULL)
		return false;
	ssdpar_key_rows_get(*reducer->rows, row,
						wide->tts_values + reducer->first_column,
						wide->tts_isnull + reducer->first_column);
	return true;
}

bool
ssdpar_joined_columns_find(SsdparJoinedColumns *joined, TupleTableSlot *slot)
{
	TupleTableSlot *wide = joined->slot;

	ExecClearTuple(wide);
	for (int i = 0; i < joined->nreducers; i++)
	{
		JoinedReducer *reducer = &joined->reducers[i];

		if (!find_partner(reducer, slot, wide))
		{
			reducer->count->partnerless++;
			return false;
		}
	}
	slot_getsomeattrs(slot, joined->nfact_columns);
	memcpy(wide->tts_values, slot->tts_values,
		   joined->nfact_columns * sizeof(Datum));
	memcpy(wide->tts_isnull, slot->tts_isnull,
		   joined->nfact_columns * sizeof(bool));
	ExecStoreVirtualTuple(wide);

	/* WHERE CURRENT OF takes the fact's row from the slot */
	wide->tts_tid = slot->tts_tid;
	wide->tts_tableOid = slot->tts_tableOid;
	return true;
}
