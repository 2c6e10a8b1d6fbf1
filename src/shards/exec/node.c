/*
 * node.c
 *		Executor node SsdparShardKeys: reads a dimension and the dimensions
 *		that reduce it, and returns the keys for remote servers in one row.
 *
 * Its columns are two arrays of the fact column's type, and a filter.  The
 * first array has all keys, ascending and distinct.  If there are more than
 * may be listed, it is NULL, the second array has the least and the greatest
 * key, and the filter has all keys (keys/key_filter.h).  A column is NULL if
 * lack of memory leaves its value unknown; then any row may match.  If there
 * are no keys, the list is empty.
 *
 * The node is the plan of an InitPlan, so it runs in one process, when the
 * first foreign scan needs the keys.
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
#include "keys/key_filter.h"
#include "shards/exec/node.h"
#include "starscan/exec/children.h"
#include "starscan/exec/explain.h"

typedef enum Sent
{
	SENT_LIST,
	SENT_RANGE,
	SENT_FILTER,				/* with a range, if that is known */
	SENT_NOTHING,
} Sent;

typedef struct ShardKeysState
{
	CustomScanState css;		/* must be first */
	SsdparStarPlan *plan;
	Oid			type;			/* of the keys */
	int			most;			/* number of keys that may be listed */
	int			nshards;
	bool		may_filter;

	SsdparStarChild *children;
	SsdparStarData *data;
	MemoryContext memory;		/* for the keys and the arrays */

	/* Set once keys are collected, and once the row has been returned. */
	bool		collected;
	bool		done;
	Sent		sent;
	ArrayType  *list;			/* the values that are sent, if any */
	ArrayType  *range;
	bytea	   *filter;
	uint64		nkeys;			/* number of keys that the column can have */
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

/*
 * The least and the greatest key; keys_param.c tells why a negative one is
 * NULL.
 */
static ArrayType *
make_range(Oid type, int64 least, int64 greatest)
{
	Datum		datums[] = {key_datum(type, least), key_datum(type, greatest)};
	bool		nulls[] = {least < 0, false};
	int			dimension = lengthof(datums);
	int			lower_bound = 1;
	int16		length;
	bool		byval;
	char		align;

	get_typlenbyvalalign(type, &length, &byval, &align);
	return construct_md_array(datums, nulls, 1, &dimension, &lower_bound, type,
							  length, byval, align);
}

/* Allocates a filter of this number of bytes, if that is not 0. */
static bytea *
make_filter(Size size)
{
	bytea	   *filter;

	if (size == 0)
		return NULL;
	filter = palloc(size + VARHDRSZ);
	SET_VARSIZE(filter, size + VARHDRSZ);
	return filter;
}

static void
filter_keys(ShardKeysState *state, const int64 *keys, uint64 n)
{
	Size		size = ssdpar_key_filter_size(n, get_hash_memory_limit());
	bytea	   *filter = make_filter(size);

	if (filter == NULL)
		return;
	ssdpar_key_filter_build(keys, n, VARDATA(filter), size);
	state->filter = filter;
	state->sent = SENT_FILTER;
}

/* Chooses the form in which known keys, in ascending order, are sent. */
static void
choose_by_keys(ShardKeysState *state, const int64 *keys, uint64 n)
{
	/* keys outside the column's type are at both ends */
	for (; n > 0 && !fits_type(state->type, keys[0]); n--)
		keys++;
	while (n > 0 && !fits_type(state->type, keys[n - 1]))
		n--;
	state->nkeys = n;
	if (n <= (uint64) state->most)
	{
		state->sent = SENT_LIST;
		state->list = make_array(state->type, keys, (int) n);
	}
	else
	{
		state->sent = SENT_RANGE;
		state->range = make_range(state->type, keys[0], keys[n - 1]);
		if (state->may_filter)
			filter_keys(state, keys, n);
	}
}

/* There was no memory to list the keys, but perhaps there is for a filter. */
static void
choose_by_set(ShardKeysState *state, const SsdparKeySet *set)
{
	Size		size;
	bytea	   *filter;

	state->sent = SENT_NOTHING;
	if (!state->may_filter || set == NULL || set->kind != SSDPAR_KEYS_BLOOM)
		return;
	size = ssdpar_key_filter_size_of_set(set, get_hash_memory_limit());
	filter = make_filter(size);
	if (filter == NULL)
		return;
	ssdpar_key_filter_of_set(set, VARDATA(filter), size);
	state->filter = filter;
	state->nkeys = set->count;
	state->sent = SENT_FILTER;
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
	keys = ssdpar_collect_keys(state->plan, state->children, NULL, NULL, data);
	ssdpar_star_data_complete(data);
	own = &keys[state->plan->nreducers - 1];
	if (data->result->empty)
		choose_by_keys(state, NULL, 0);
	else if (own->wanted)
		choose_by_keys(state, own->integers, own->nkeys);
	else
		choose_by_set(state, data->sets[state->plan->nreducers - 1]);
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
	slot->tts_isnull[0] = state->list == NULL;
	slot->tts_isnull[1] = state->range == NULL;
	slot->tts_isnull[2] = state->filter == NULL;
	slot->tts_values[0] = PointerGetDatum(state->list);
	slot->tts_values[1] = PointerGetDatum(state->range);
	slot->tts_values[2] = PointerGetDatum(state->filter);
	return ExecStoreVirtualTuple(slot);
}

static void
end_shard_keys(CustomScanState *css)
{
	ListCell   *lc;

	foreach(lc, css->custom_ps)
		ExecEndNode(lfirst(lc));
}

/* Keeps the keys unless a parameter has changed them. */
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
	state->list = state->range = NULL;
	state->filter = NULL;
	state->collected = false;
}

static const char *
sent_name(Sent sent)
{
	switch (sent)
	{
		case SENT_LIST:
			return "list";
		case SENT_RANGE:
			return "range";
		case SENT_FILTER:
			return "filter";
		case SENT_NOTHING:
			break;
	}
	return "nothing";
}

/*
 * The node belongs to the dimension.  The fact is not read in this part of the
 * plan, so we find its name through its range table entry.
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
								state->sent == SENT_RANGE ? 2 : state->nkeys,
								es);
	if (state->sent == SENT_FILTER)
		ExplainPropertyUInteger("Filter Size", "B",
								VARSIZE(state->filter) - VARHDRSZ, es);
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
	state->may_filter = lfourth_int(numbers) != 0;
	return (Node *) state;
}
