/*
 * collect_keys.c
 *		A star scan's first phase: reads the dimensions and keeps their keys.
 *
 * The children run in the order of the reducers, so that one which reduces
 * another (a snowflake) is known before.  From each come a set of key codes,
 * for testing rows, and where an index is to be asked the keys themselves.
 * All of that stays within hash_mem: a set degrades to a Bloom filter, keys
 * that are too many for the index are given up, and so is a set for which
 * there is no memory at all.
 *
 * Why dropping rows by it is right.  A row of the fact is dropped only if its
 * key's code is not in the set of a dimension's codes, equal keys have equal
 * codes, and every row that the join above can see of the dimension was seen
 * here: same snapshot, same filter, nothing volatile (star/semijoin.c proves
 * that the join asks for such a row).  A set that is missing, or says yes too
 * often, drops less.
 *
 * Where there is no such join (the reducer is joined), what is kept must be all
 * of the dimension: its rows by key, or where none of its columns is wanted an
 * exact set of its keys.  Either takes what memory it needs.  The planner has
 * seen to it that this is little.  Where the query's shared memory has no room
 * for it, each process reads the dimension for itself.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "base/compat.h"
#include "starscan/exec/collect_keys.h"

/* Rows of a child from one look at what is asked for meanwhile to the next. */
#define ROWS_A_LOOK 256

/* An earlier reducer, which tests the rows of a later one's child. */
typedef struct Snowflake
{
	SsdparKeyCoder *coder;
	const SsdparKeySet *set;
} Snowflake;

/* Those that reduce child number n. */
static int
find_snowflakes(const SsdparStarPlan *plan, const SsdparStarData *data, int n,
				Snowflake *snowflakes)
{
	int			count = 0;

	for (int i = 0; i < n; i++)
	{
		const SsdparReducer *reducer = &plan->reducers[i];

		if (reducer->target != n || data->sets[i] == NULL)
			continue;
		snowflakes[count].coder = ssdpar_key_coder(&reducer->key,
												   SSDPAR_SIDE_TARGET);
		snowflakes[count].set = data->sets[i];
		count++;
	}
	return count;
}

static bool
survives_snowflakes(const Snowflake *snowflakes, int count,
					TupleTableSlot *slot)
{
	for (int i = 0; i < count; i++)
	{
		uint64		code;

		if (!ssdpar_key_code(snowflakes[i].coder, slot, &code) ||
			!ssdpar_key_set_has(snowflakes[i].set, code))
			return false;
	}
	return true;
}

/*
 * The next row of a child, which is started again if it has run before.  What
 * the child allocates for itself on the way lives as long as the query, not as
 * long as the building of the result.
 */
static TupleTableSlot *
next_child_row(SsdparStarChild *child, bool first)
{
	MemoryContext before =
		MemoryContextSwitchTo(child->plan->state->es_query_cxt);
	TupleTableSlot *slot;

	/* with chgParam set, ExecProcNode does it */
	if (first && child->ran && child->plan->chgParam == NULL)
		ExecReScan(child->plan);
	child->ran = true;
	slot = ExecProcNode(child->plan);
	MemoryContextSwitchTo(before);
	return slot;
}

/* What a child's rows are collected into; NULL: not into that. */
typedef struct Collectors
{
	SsdparKeyCoder *coder;
	SsdparKeyBuilder *builder;
	SsdparLookupKeys *keys;
	SsdparKeyRowsBuilder *rows;
} Collectors;

static void
collect_row(const Collectors *into, TupleTableSlot *slot, uint64 code)
{
	if (into->builder != NULL)
		ssdpar_key_builder_add(into->builder, code);
	if (into->keys != NULL)
		ssdpar_lookup_keys_add(into->keys, slot);
	if (into->rows != NULL)
		ssdpar_key_rows_add(into->rows, code, slot);
}

/*
 * Run child number n; returns how many rows of it are left.  Whatever coding a
 * row allocates goes with the row, what is kept of it is kept by the
 * collectors in their own contexts.
 */
static uint64
run_child(const SsdparStarPlan *plan, SsdparStarChild *child, int n,
		  const SsdparStarData *data, const Collectors *into,
		  SsdparEarlyRead *early)
{
	Snowflake  *snowflakes = palloc_array(Snowflake, n + 1);
	int			nsnowflakes = find_snowflakes(plan, data, n, snowflakes);
	MemoryContext row_context = AllocSetContextCreate(CurrentMemoryContext,
													  "SsdparStarScan row",
													  ALLOCSET_SMALL_SIZES);
	TupleTableSlot *slot;
	uint64		rows = 0;
	uint64		seen = 0;

	ssdpar_early_read_go_on(early);
	slot = next_child_row(child, true);

	for (; !TupIsNull(slot); slot = next_child_row(child, false))
	{
		MemoryContext before = MemoryContextSwitchTo(row_context);
		uint64		code;

		if (++seen % ROWS_A_LOOK == 0)
			ssdpar_early_read_go_on(early);

		if (survives_snowflakes(snowflakes, nsnowflakes, slot) &&
			ssdpar_key_code(into->coder, slot, &code))
		{
			rows++;
			collect_row(into, slot, code);
		}
		MemoryContextSwitchTo(before);
		MemoryContextReset(row_context);
		CHECK_FOR_INTERRUPTS();
	}
	MemoryContextDelete(row_context);
	return rows;
}

/* Is the dimension joined by an exact set of its keys, or by its rows? */
static bool
is_joined_by_keys(const SsdparReducer *reducer)
{
	return reducer->joined && reducer->njoined_columns == 0;
}

static bool
is_joined_by_rows(const SsdparReducer *reducer)
{
	return reducer->joined && reducer->njoined_columns > 0;
}

/* Within max_bytes, but for a set that has to be exact. */
static SsdparKeyBuilder *
set_builder(const SsdparReducer *reducer, Size max_bytes)
{
	return ssdpar_key_builder(is_joined_by_keys(reducer) ? MaxAllocHugeSize :
							  max_bytes);
}

/*
 * Rows that a Bloom filter lets through by mistake no join above would drop.
 * For billions of keys there is no other set.
 */
static SsdparKeySet *
build_set(const SsdparReducer *reducer, SsdparKeyBuilder *builder,
		  void *memory)
{
	SsdparKeySet *set = ssdpar_key_set_build(builder, memory);

	if (is_joined_by_keys(reducer) && set->kind == SSDPAR_KEYS_BLOOM)
		elog(ERROR, "too many keys in a dimension of a star scan");
	return set;
}

/* The set, for which there may be no memory; returns the bytes it took. */
static Size
keep_set(const SsdparReducer *reducer, SsdparKeyBuilder *builder,
		 SsdparStarData *data, int n)
{
	SsdparReducerResult *result = &data->result->reducers[n];
	Size		size = ssdpar_key_set_size(builder);
	void	   *memory = ssdpar_star_data_allocate(data, size, &result->set);
	SsdparKeySet *set;

	if (memory == NULL)
		return 0;
	set = build_set(reducer, builder, memory);
	result->kind = set->kind;
	result->keys = set->count;
	result->bytes = size;
	data->sets[n] = set;
	return size;
}

/* For the rows of a child that is joined by them; NULL: it is not. */
static SsdparKeyRowsBuilder *
rows_builder(const SsdparReducer *reducer, const SsdparStarChild *child)
{
	if (!is_joined_by_rows(reducer))
		return NULL;
	return ssdpar_key_rows_builder(ExecGetResultType(child->plan),
								   reducer->njoined_columns,
								   reducer->joined_columns);
}

/* The rows, if there is memory for them; returns the bytes they took. */
static Size
keep_rows(SsdparKeyRowsBuilder *builder, SsdparStarData *data, int n)
{
	Size		size;
	void	   *memory;

	if (builder == NULL)
		return 0;
	size = ssdpar_key_rows_size(builder);
	memory = ssdpar_star_data_allocate(data, size,
									   &data->result->reducers[n].joined);
	if (memory != NULL)
		data->joined[n] = ssdpar_key_rows_build(builder, memory);
	ssdpar_key_rows_builder_free(builder);
	return memory != NULL ? size : 0;
}

/*
 * Collect the keys of reducer number n within max_bytes; returns how many of
 * them stay in use.  max_bytes are for the builder, the set made of it, and
 * keys for the index, where these are other ones.
 */
static Size
collect_reducer(const SsdparStarPlan *plan, SsdparStarChild *child, int n,
				Size max_bytes, SsdparStarData *data, SsdparLookupKeys *keys,
				SsdparEarlyRead *early)
{
	const SsdparReducer *reducer = &plan->reducers[n];
	int			parts = reducer->keys_wanted &&
		!ssdpar_key_code_is_exact(&reducer->key) ? 3 : 2;
	Collectors	into = {
		.coder = ssdpar_key_coder(&reducer->key, SSDPAR_SIDE_KEY),
		.builder = set_builder(reducer, max_bytes / parts),
		.keys = keys,
		.rows = rows_builder(reducer, child),
	};
	Size		used;
	Size		joined;

	if (reducer->keys_wanted)
		ssdpar_lookup_keys_begin(keys, &reducer->key, reducer->index_column,
								 ExecGetResultType(child->plan), into.coder,
								 into.builder, max_bytes / parts);
	data->result->reducers[n].rows = run_child(plan, child, n, data, &into,
											   early);
	data->result->reducers[n].known = true;
	used = keep_set(reducer, into.builder, data, n) +
		ssdpar_lookup_keys_finish(keys);
	if (!keys->shares_builder)
		ssdpar_key_builder_free(into.builder);
	joined = keep_rows(into.rows, data, n);
	data->result->reducers[n].bytes += joined;
	return used + joined;
}

/*
 * Without any key nothing more is read: no row of the fact can match, even if
 * the reducer only reduces another.  What is left of hash_mem is divided among
 * those still to come, so that a small dimension leaves its share to a large
 * one.  What is known from an earlier run is not read again.
 */
SsdparLookupKeys *
ssdpar_collect_keys(const SsdparStarPlan *plan, SsdparStarChild *children,
					SsdparEarlyRead *early, SsdparStarData *data)
{
	int			n = plan->nreducers;
	SsdparLookupKeys *keys = palloc0(n * sizeof(SsdparLookupKeys));
	Size		left = get_hash_memory_limit();

	data->result->empty = false;
	for (int i = 0; i < n; i++)
	{
		const SsdparReducerResult *result = &data->result->reducers[i];
		Size		used = result->known ? result->bytes :
			collect_reducer(plan, &children[i], i, left / (n - i), data,
							&keys[i], early);

		left -= Min(left, used);
		if (result->rows == 0)
		{
			data->result->empty = true;
			break;
		}
	}
	return keys;
}

/*
 * What child number n is joined by, into this process's own memory; no result
 * says of it, which all share.
 */
static void
collect_joined(const SsdparStarPlan *plan, SsdparStarChild *child, int n,
			   SsdparStarData *data)
{
	MemoryContext building = AllocSetContextCreate(data->context,
												   "SsdparStarScan rows",
												   ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(building);
	const SsdparReducer *reducer = &plan->reducers[n];
	Collectors	into = {
		.coder = ssdpar_key_coder(&reducer->key, SSDPAR_SIDE_KEY),
		.rows = rows_builder(reducer, child),
	};
	void	   *memory;

	if (into.rows == NULL)
		into.builder = set_builder(reducer, 0);
	(void) run_child(plan, child, n, data, &into, NULL);
	memory = MemoryContextAllocHuge(data->context, into.rows != NULL ?
									ssdpar_key_rows_size(into.rows) :
									ssdpar_key_set_size(into.builder));
	if (into.rows != NULL)
		data->joined[n] = ssdpar_key_rows_build(into.rows, memory);
	else
		data->sets[n] = build_set(reducer, into.builder, memory);
	MemoryContextSwitchTo(before);
	MemoryContextDelete(building);
}

/* A private result has it, or the server was out of memory. */
void
ssdpar_collect_missing(const SsdparStarPlan *plan, SsdparStarChild *children,
					   SsdparStarData *data)
{
	for (int i = 0; i < plan->nreducers; i++)
	{
		const SsdparReducer *reducer = &plan->reducers[i];

		if ((is_joined_by_rows(reducer) && data->joined[i] == NULL) ||
			(is_joined_by_keys(reducer) && data->sets[i] == NULL))
			collect_joined(plan, &children[i], i, data);
	}
}
