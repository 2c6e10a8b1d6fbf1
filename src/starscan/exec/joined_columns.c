/*
 * joined_columns.c
 *		Puts columns of joined dimensions beside the fact's.
 *
 * A reducer is joined if the plan has no join with its dimension above.  So
 * what the filters before let through by mistake ends here: the key of every
 * row is looked up among all of the dimension's, exactly (star/covered_join.c
 * proves that this is the whole join, and that a row has one partner at most,
 * or that any will do).  Where no column of the dimension is wanted, an exact
 * set of its keys tells as much: of small keys a few kilobytes of bits, where
 * rows found by key would each be waited for from memory.
 *
 * Nothing is copied but Datums: values stay where they are, in the fact's page,
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
	AttrNumber	column;			/* of the fact's row: the key, */
	SsdparIntegerType integer;	/* which is its code */
	SsdparKeySet *const *set;	/* once it has been collected */
	const SsdparKeyRows *const *rows;	/* the same; of columns that ride
										 * along */
	int			ncolumns;
	int			first_column;	/* in the slot, from 0 */
	SsdparFilterCount *count;
} JoinedReducer;

struct SsdparJoinedColumns
{
	TupleTableSlot *slot;
	int			nfact_columns;	/* that are wanted: the first so many */
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

/* The last column of the fact that the node's target list takes. */
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
 * The slot's columns have to be those that the plan promises, in number.  Where
 * the fact is read by others, they are as many as the plan says.
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

	/* columns that are not wanted */
	memset(joined->slot->tts_isnull, true, column * sizeof(bool));
	return joined;
}

/* Has the row in slot a partner?  Its columns go into wide. */
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

	/* what a cursor stands on is asked of the slot: a row of the fact */
	wide->tts_tid = slot->tts_tid;
	wide->tts_tableOid = slot->tts_tableOid;
	return true;
}
