/*
 * node.c
 *		The executor's node SsdparShardKeys: reads a dimension, and those that
 *		reduce it, and puts out the keys for other servers as one row.
 *
 * Its two columns are arrays of the fact column's type, at most one not NULL:
 * all keys, ascending and each once; or, if those are more than may be listed,
 * the least and the greatest of them.  Where not even these are known, for want
 * of memory, both are NULL: any row may match.  Of no keys the list is empty.
 *
 * It is the plan of an InitPlan, so it runs in one process, when the first
 * foreign scan wants the keys.
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"
#include "executor/executor.h"
#include "nodes/extensible.h"
#include "parser/parsetree.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "base/compat.h"
#include "custom_scan/names.h"
#include "shards/exec/node.h"
#include "starscan/exec/children.h"
#include "starscan/exec/explain.h"

typedef enum Sent
{
	SENT_LIST,
	SENT_RANGE,
	SENT_NOTHING,
} Sent;

typedef struct ShardKeysState
{
	CustomScanState css;		/* must be first */
	SsdparStarPlan *plan;
	Oid			type;			/* of the keys */
	int			most;			/* that may be listed */
	int			nshards;

	SsdparStarChild *children;
	SsdparStarData *data;
	MemoryContext memory;		/* of the keys and the arrays */

	/* Once collected; the row has been put out. */
	bool		collected;
	bool		done;
	Sent		sent;
	ArrayType  *array;			/* NULL if nothing is sent */
	uint64		nkeys;			/* that the column can have */
} ShardKeysState;

static void
begin_shard_keys(CustomScanState *css, EState *estate, int eflags)
{
	ShardKeysState *state = (ShardKeysState *) css;
	int			n = state->plan->nreducers;

	state->children = ssdpar_star_children_init(css, n, estate, eflags);
	state->data = ssdpar_star_data_create(n);
	state->memory = AllocSetContextCreate(CurrentMemoryContext,
										  "SsdparShardKeys",
										  ALLOCSET_DEFAULT_SIZES);
}

/* Can the column have this value? */
static bool
fits_type(Oid type, int64 key)
{
	switch (type)
	{
		case INT2OID:
			return key >= PG_INT16_MIN && key <= PG_INT16_MAX;
		case INT4OID:
			return key >= PG_INT32_MIN && key <= PG_INT32_MAX;
		default:
			Assert(type == INT8OID);
			return true;
	}
}

static Datum
key_datum(Oid type, int64 key)
{
	return type == INT2OID ? Int16GetDatum((int16) key) :
		type == INT4OID ? Int32GetDatum((int32) key) : Int64GetDatum(key);
}

static ArrayType *
make_array(Oid type, const int64 *keys, int n)
{
	Datum	   *datums = palloc_array(Datum, Max(n, 1));
	int16		length;
	bool		byval;
	char		align;

	get_typlenbyvalalign(type, &length, &byval, &align);
	for (int i = 0; i < n; i++)
		datums[i] = key_datum(type, keys[i]);
	return construct_array(datums, n, type, length, byval, align);
}

/* What there is to send of keys that are known, ascending. */
static void
choose_array(ShardKeysState *state, const int64 *keys, uint64 n)
{
	/* those beyond the column's values lie at both ends */
	for (; n > 0 && !fits_type(state->type, keys[0]); n--)
		keys++;
	while (n > 0 && !fits_type(state->type, keys[n - 1]))
		n--;
	state->nkeys = n;
	if (n <= (uint64) state->most)
	{
		state->sent = SENT_LIST;
		state->array = make_array(state->type, keys, (int) n);
	}
	else
	{
		int64		ends[2] = {keys[0], keys[n - 1]};

		state->sent = SENT_RANGE;
		state->array = make_array(state->type, ends, lengthof(ends));
	}
}

static void
collect(ShardKeysState *state)
{
	MemoryContext before = MemoryContextSwitchTo(state->memory);
	SsdparStarData *data = state->data;
	SsdparLookupKeys *keys;
	const SsdparLookupKeys *own;
	instr_time	start;
	instr_time	end;

	INSTR_TIME_SET_CURRENT(start);
	ssdpar_star_data_begin_private(data);
	keys = ssdpar_collect_keys(state->plan, state->children, NULL, data);
	ssdpar_star_data_complete(data);
	own = &keys[state->plan->nreducers - 1];
	if (data->result->empty)
		choose_array(state, NULL, 0);
	else if (own->wanted)
		choose_array(state, own->integers, own->nkeys);
	else
		state->sent = SENT_NOTHING;
	state->collected = true;
	INSTR_TIME_SET_CURRENT(end);
	INSTR_TIME_ACCUM_DIFF(data->result->keys_time, end, start);
	MemoryContextSwitchTo(before);
}

static TupleTableSlot *
exec_shard_keys(CustomScanState *css)
{
	ShardKeysState *state = (ShardKeysState *) css;
	TupleTableSlot *slot = css->ss.ss_ScanTupleSlot;

	ExecClearTuple(slot);
	if (state->done)
		return slot;
	if (!state->collected)
		collect(state);
	state->done = true;
	slot->tts_isnull[0] = state->sent != SENT_LIST;
	slot->tts_isnull[1] = state->sent != SENT_RANGE;
	slot->tts_values[0] = slot->tts_values[1] = PointerGetDatum(state->array);
	return ExecStoreVirtualTuple(slot);
}

static void
end_shard_keys(CustomScanState *css)
{
	ListCell   *lc;

	foreach(lc, css->custom_ps)
		ExecEndNode(lfirst(lc));
}

/* Keys that no parameter has changed stay. */
static void
rescan_shard_keys(CustomScanState *css)
{
	ShardKeysState *state = (ShardKeysState *) css;

	state->done = false;
	if (!ssdpar_star_children_change(state->children, state->plan->nreducers,
									 &css->ss.ps) || !state->collected)
		return;
	ssdpar_star_data_forget(state->data);
	MemoryContextReset(state->memory);
	state->array = NULL;
	state->collected = false;
}

static const char *
sent_name(Sent sent)
{
	return sent == SENT_LIST ? "list" : sent == SENT_RANGE ? "range" :
		"nothing";
}

/*
 * The node is of the dimension.  The fact is not read here, so it has no name
 * in this part of the plan but that of the query.
 */
static void
explain_shard_keys(CustomScanState *css, List *ancestors, ExplainState *es)
{
	ShardKeysState *state = (ShardKeysState *) css;
	SsdparStarPlan *plan = state->plan;
	Index		planned = plan->reducers[plan->nreducers - 1].dimension;
	int			now =
		bms_singleton_member(((CustomScan *) css->ss.ps.plan)->custom_relids);
	SsdparStarExplained star = {
		.plan = plan,
		.scanrelid = plan->fact + (now - planned),
		.result = state->data->result,
		.counters = palloc0(ssdpar_star_counters_size(plan->nreducers)),
	};

	star.table = rt_fetch(star.scanrelid, es->rtable)->relid;
	ExplainPropertyInteger("Foreign Tables", NULL, state->nshards, es);
	ssdpar_star_explain_keys(&star, es);
	if (!es->analyze || !state->collected)
		return;
	ExplainPropertyText("Sent As", sent_name(state->sent), es);
	if (state->sent != SENT_NOTHING)
		ExplainPropertyUInteger("Keys Sent", NULL,
								state->sent == SENT_LIST ? state->nkeys : 2,
								es);
}

static const CustomExecMethods exec_methods = {
	.CustomName = SSDPAR_SHARD_KEYS,
	.BeginCustomScan = begin_shard_keys,
	.ExecCustomScan = exec_shard_keys,
	.EndCustomScan = end_shard_keys,
	.ReScanCustomScan = rescan_shard_keys,
	.ExplainCustomScan = explain_shard_keys,
};

Node *
ssdpar_create_shard_keys_state(CustomScan *plan)
{
	ShardKeysState *state =
		(ShardKeysState *) newNode(sizeof(ShardKeysState), T_CustomScanState);
	List	   *numbers = lsecond(plan->custom_private);

	state->css.methods = &exec_methods;
	state->plan = ssdpar_star_plan_from_list(linitial(plan->custom_private));
	state->type = (Oid) linitial_int(numbers);
	state->most = lsecond_int(numbers);
	state->nshards = lthird_int(numbers);
	return (Node *) state;
}
