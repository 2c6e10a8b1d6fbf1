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
#include "storage/bufmgr.h"
#include "storage/predicate.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "starscan/exec/child_ranges.h"
#include "starscan/exec/collect_keys.h"

/* Those that reduce child number n. */
static int
find_snowflakes(const SsdparStarPlan *plan, const SsdparStarData *data, int n,
				SsdparSnowflake *snowflakes)
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

/* Run child number n; returns how many rows of it are left. */
static uint64
run_child(const SsdparStarPlan *plan, SsdparStarChild *child, int n,
		  const SsdparStarData *data, const SsdparCollectors *into,
		  SsdparEarlyRead *early)
{
	SsdparSnowflake *snowflakes = palloc_array(SsdparSnowflake, n + 1);
	int			nsnowflakes = find_snowflakes(plan, data, n, snowflakes);

	ssdpar_early_read_go_on(early);
	return ssdpar_collect_rows(child, ssdpar_next_child_row(child, true),
							   snowflakes, nsnowflakes, into, early);
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

	if (ssdpar_joined_by_keys(reducer) && set->kind == SSDPAR_KEYS_BLOOM)
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
 * A large one, in a parallel scan: has it been read by all its processes?  Its
 * size is taken once a serializable transaction has locked it.
 */
static bool
read_by_all(const SsdparStarPlan *plan, SsdparStarChild *child, int n,
			Size max_bytes, SsdparStarData *data, const SsdparCollectors *into,
			SsdparEarlyRead *early, const SsdparParticipant *self)
{
	SsdparChildTask task = {.reducer = n, .max_bytes = max_bytes};
	const ScanState *scan = (const ScanState *) child->plan;

	if (self == NULL ||
		!ssdpar_may_share_child(plan, child, n, max_bytes, into->keys))
		return false;
	PredicateLockRelation(scan->ss_currentRelation,
						  scan->ps.state->es_snapshot);
	task.nblocks = RelationGetNumberOfBlocks(scan->ss_currentRelation);
	return ssdpar_run_child_by_all(child, self, &task, into, early,
								   data->result);
}

/*
 * Collect the keys of reducer number n within max_bytes; returns how many of
 * them stay in use.  max_bytes are for the builder, the set made of it, and
 * keys for the index, where these are other ones.
 */
static Size
collect_reducer(const SsdparStarPlan *plan, SsdparStarChild *child, int n,
				Size max_bytes, SsdparStarData *data, SsdparLookupKeys *keys,
				SsdparEarlyRead *early, const SsdparParticipant *self)
{
	const SsdparReducer *reducer = &plan->reducers[n];
	int			parts = reducer->keys_wanted &&
		!ssdpar_key_code_is_exact(&reducer->key) ? 3 : 2;
	SsdparCollectors into = {
		.coder = ssdpar_key_coder(&reducer->key, SSDPAR_SIDE_KEY),
		.builder = ssdpar_set_builder(reducer, max_bytes / parts),
		.keys = keys,
		.rows = ssdpar_rows_builder(reducer, child),
	};
	Size		used;
	Size		joined;

	if (reducer->keys_wanted)
		ssdpar_lookup_keys_begin(keys, &reducer->key, reducer->index_column,
								 ExecGetResultType(child->plan), into.coder,
								 into.builder, max_bytes / parts);
	if (!read_by_all(plan, child, n, max_bytes / parts, data, &into, early,
					 self))
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
					SsdparEarlyRead *early, const SsdparParticipant *self,
					SsdparStarData *data)
{
	int			n = plan->nreducers;
	SsdparLookupKeys *keys = palloc0(n * sizeof(SsdparLookupKeys));
	Size		left = get_hash_memory_limit();

	data->result->empty = false;
	data->result->key_readers = 1;
	for (int i = 0; i < n; i++)
	{
		const SsdparReducerResult *result = &data->result->reducers[i];
		Size		used = result->known ? result->bytes :
			collect_reducer(plan, &children[i], i, left / (n - i), data,
							&keys[i], early, self);

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
	SsdparCollectors into = {
		.coder = ssdpar_key_coder(&reducer->key, SSDPAR_SIDE_KEY),
		.rows = ssdpar_rows_builder(reducer, child),
	};
	void	   *memory;

	if (into.rows == NULL)
		into.builder = ssdpar_set_builder(reducer, 0);
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

		if ((ssdpar_joined_by_rows(reducer) && data->joined[i] == NULL) ||
			(ssdpar_joined_by_keys(reducer) && data->sets[i] == NULL))
			collect_joined(plan, &children[i], i, data);
	}
}
