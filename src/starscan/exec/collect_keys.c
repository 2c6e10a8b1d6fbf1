/*
 * collect_keys.c
 *		First phase of a star scan: reads the dimensions and keeps their keys.
 *
 * The children run in the order of the reducers, so a reducer that reduces
 * another dimension (a snowflake) has been read before that dimension.  Each
 * child yields a set of key codes, which is used to test rows.  If an index is
 * to be read, it also yields the keys themselves.  All of this is limited to
 * hash_mem.  A set that grows too large becomes a Bloom filter, keys that are
 * too many for the index are dropped, and if there is no memory at all, the
 * set is dropped too.
 *
 * Why it is correct to drop rows by these sets: a row of the fact is dropped
 * only if the code of its key is not in the set of the dimension's codes.
 * Equal keys have equal codes.  The set has the key of each row of the
 * dimension that the join above can see, because both use the same snapshot
 * and the same filter, and nothing in them is volatile.  star/semijoin.c
 * proves that the join requires such a row.  A missing set, or a set with
 * false positives, only drops fewer rows.
 *
 * If the reducer is joined, there is no join above.  In this case the complete
 * dimension has to be kept: its rows by key or, if none of its columns are
 * needed, an exact set of its keys.  Both use as much memory as they need; the
 * planner has checked that this is little.  If the query's shared memory has
 * no room for them, each process reads the dimension itself.
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

/* Finds the sets that reduce child n; returns their number.  */
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

/* Runs child n; returns the number of rows that remain.  */
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
 * Builds the set.  If the reducer is joined, no join above would drop the
 * false positives of a Bloom filter.  However, no other kind of set can hold
 * billions of keys.
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

/*
 * Keeps the set if there is memory for it; returns the number of bytes used.
 */
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

/*
 * Keeps the rows if there is memory for them; returns the number of bytes
 * used.
 */
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
 * In a parallel scan, tries to read a large dimension with all processes.
 * Returns false if this process has to read it alone.  A serializable
 * transaction must lock the table before its size is taken.
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
 * Collects the keys of reducer n within max_bytes; returns the number of bytes
 * that stay in use.  max_bytes covers the builder, the set built from it, and
 * the keys for the index if they differ from the set's.
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
 * If a reducer has no keys, no row of the fact can match, even if it only
 * reduces another dimension, so nothing else is read.  The memory left of
 * hash_mem is divided among the remaining reducers, so a small dimension
 * leaves its share to a large one.  Reducers known from an earlier run are not
 * read again.
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
 * Reads what joined child n contributes into this process's own memory.  The
 * result, which all processes share, is not changed.
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

/*
 * Data may be missing because the result is private to the maker or because
 * shared memory was full.
 */
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
