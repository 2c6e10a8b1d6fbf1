/*
 * shared_keys.c
 *		Keys shared by the scans of all partitions of a fact.  Each process
 *		reads the dimensions once, when the first of its scans needs the keys,
 *		and keeps them for the other scans.
 *
 * The keys are not shared among processes.  That would save no time, because
 * the other processes would wait for the one that reads.  Moreover, the order
 * in which processes get partitions is unknown.
 *
 * Why a partition may be pruned: its bounds hold for each of its rows.  The
 * server checks them when a row is inserted and when a table is attached, and
 * our lock prevents the partition from being detached.  So each row's column
 * lies in one of the ranges or is NULL, which equals no key.  If no key lies
 * in any range, no row matches, and a scan would find nothing.  Default
 * partitions have no ranges.  Keys are compared as integers, in the order of
 * their type.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "base/compat.h"
#include "starscan/exec/meanwhile.h"
#include "starscan/exec/repeat.h"
#include "starscan/exec/shared_keys.h"

/*
 * Invariant: data has a result if anything is known, and complete is set if
 * all of it is known.  The result is allocated in first.  If variable parts
 * have been collected again, these are allocated in again.
 */
struct SsdparSharedKeys
{
	const SsdparStarPlan *plan;
	SsdparStarChild *children;
	SsdparStarData *data;
	bool		complete;
	uint64		age;
	SsdparLookupKeys *lookup;	/* one for each reducer */
	SsdparRing *ring;			/* for the scans' pages, or NULL */
	List	   *parts;			/* const bool *: has been pruned */
	SsdparStarResult *copy;		/* in shared memory, or NULL */
	MemoryContext first;
	MemoryContext again;
};

static SsdparSharedKeys *current = NULL;

static MemoryContext
create_changing(MemoryContext parent)
{
	return AllocSetContextCreate(parent, "SsdparStarKeys changed keys",
								 ALLOCSET_DEFAULT_SIZES);
}

SsdparSharedKeys *
ssdpar_shared_keys_create(const SsdparStarPlan *plan,
						  SsdparStarChild *children)
{
	SsdparSharedKeys *keys = palloc0_object(SsdparSharedKeys);

	keys->plan = plan;
	keys->children = children;
	keys->data = ssdpar_star_data_create(plan->nreducers);
	ssdpar_star_find_constant(plan, children, keys->data);
	if (plan->ring)
		keys->ring = ssdpar_ring_create();
	keys->lookup = palloc0(plan->nreducers * sizeof(SsdparLookupKeys));
	keys->first = AllocSetContextCreate(CurrentMemoryContext,
										"SsdparStarKeys keys",
										ALLOCSET_DEFAULT_SIZES);
	keys->again = create_changing(CurrentMemoryContext);
	return keys;
}

SsdparSharedKeys *
ssdpar_shared_keys_enter(SsdparSharedKeys *keys)
{
	SsdparSharedKeys *before = current;

	current = keys;
	return before;
}

SsdparSharedKeys *
ssdpar_shared_keys_current(void)
{
	return current;
}

SsdparStarPlan *
ssdpar_shared_keys_part(const SsdparSharedKeys *keys, const List *list)
{
	if (keys == NULL)
		elog(ERROR, "star scan of a partition has no keys");
	return ssdpar_star_part_from_list(list, keys->plan);
}

void
ssdpar_shared_keys_add_part(SsdparSharedKeys *keys, const bool *pruned)
{
	keys->parts = lappend(keys->parts, unconstify(bool *, pruned));
}

void
ssdpar_shared_keys_count_parts(const SsdparSharedKeys *keys, int *all,
							   int *pruned)
{
	ListCell   *lc;

	*all = list_length(keys->parts);
	*pruned = 0;
	foreach(lc, keys->parts)
		*pruned += *(const bool *) lfirst(lc);
}

void
ssdpar_shared_keys_publish(SsdparSharedKeys *keys, SsdparStarResult *copy)
{
	keys->copy = copy;
	if (copy != NULL && keys->complete)
		memcpy(copy, keys->data->result,
			   ssdpar_star_result_size(keys->data->nreducers));
}

/*
 * If a reducer had no keys in the first run, the reducers after it were not
 * read.  If a constant one of these is read in a later run, it is kept too.
 * This happens at most once for each reducer.
 */
static void
keep_changed(SsdparSharedKeys *keys)
{
	MemoryContext parent = MemoryContextGetParent(keys->first);

	MemoryContextSetParent(keys->again, keys->first);
	keys->again = create_changing(parent);
}

/* Collects the keys that are not yet known.  */
static void
collect(SsdparSharedKeys *keys)
{
	SsdparStarData *data = keys->data;
	bool		anew = data->result == NULL;
	MemoryContext before = MemoryContextSwitchTo(anew ? keys->first :
												 keys->again);
	bool	   *known = palloc0(data->nreducers * sizeof(bool));
	bool		constant = false;
	SsdparEarlyRead *early;
	SsdparLookupKeys *lookup;
	instr_time	start;
	instr_time	end;

	INSTR_TIME_SET_CURRENT(start);
	if (anew)
		ssdpar_star_data_begin_private(data);
	for (int i = 0; i < data->nreducers; i++)
		known[i] = data->result->reducers[i].known;
	early = ssdpar_star_meanwhile(keys->plan, keys->children, NULL, data);
	lookup = ssdpar_collect_keys(keys->plan, keys->children, early, NULL, data);
	ssdpar_early_read_end(early);
	for (int i = 0; i < data->nreducers; i++)
	{
		if (known[i])
			continue;
		keys->lookup[i] = lookup[i];
		constant |= data->constant[i] && data->result->reducers[i].known;
	}
	ssdpar_star_data_complete(data);
	if (!data->result->empty)
		ssdpar_collect_missing(keys->plan, keys->children, data);
	INSTR_TIME_SET_CURRENT(end);
	INSTR_TIME_ACCUM_DIFF(data->result->keys_time, end, start);
	keys->complete = true;
	ssdpar_shared_keys_publish(keys, keys->copy);
	MemoryContextSwitchTo(before);
	if (!anew && constant)
		keep_changed(keys);
}

SsdparRing *
ssdpar_shared_keys_ring(const SsdparSharedKeys *keys)
{
	return keys->ring;
}

const SsdparLookupKeys *
ssdpar_shared_keys_lookup(const SsdparSharedKeys *keys)
{
	Assert(keys->complete);
	return keys->lookup;
}

const SsdparStarData *
ssdpar_shared_keys_data(const SsdparSharedKeys *keys)
{
	return keys->data;
}

/*
 * Is there a key in the range?  The first key that is not below the range
 * tells.
 */
static bool
has_key_in(const SsdparLookupKeys *lookup, const SsdparIntegerRange *range)
{
	uint64		low = 0;
	uint64		high = lookup->nkeys;

	while (low < high)
	{
		uint64		middle = low + (high - low) / 2;

		if (lookup->integers[middle] < range->first)
			low = middle + 1;
		else
			high = middle;
	}
	return low < lookup->nkeys && lookup->integers[low] <= range->last;
}

/* If there were too many keys to keep, any key is possible.  */
static bool
reducer_reaches(const SsdparReducer *reducer, const SsdparLookupKeys *lookup)
{
	if (reducer->nranges == 0 || !lookup->wanted || lookup->integers == NULL)
		return true;
	for (int i = 0; i < reducer->nranges; i++)
	{
		if (has_key_in(lookup, &reducer->ranges[i]))
			return true;
	}
	return false;
}

bool
ssdpar_shared_keys_collected(SsdparSharedKeys *keys)
{
	if (!keys->complete)
		collect(keys);
	return !keys->data->result->empty;
}

bool
ssdpar_shared_keys_reach(SsdparSharedKeys *keys, const SsdparStarPlan *part)
{
	if (!ssdpar_shared_keys_collected(keys))
		return false;
	for (int i = 0; i < part->nreducers; i++)
	{
		if (!reducer_reaches(&part->reducers[i], &keys->lookup[i]))
			return false;
	}
	return true;
}

void
ssdpar_shared_keys_forget(SsdparSharedKeys *keys)
{
	SsdparStarData *data = keys->data;

	keys->age++;
	keys->complete = false;
	if (data->result == NULL)
		return;
	if (!ssdpar_star_forget_variable(keys->plan, data))
	{
		ssdpar_star_data_forget(data);
		MemoryContextReset(keys->first);
	}
	for (int i = 0; i < data->nreducers; i++)
	{
		if (data->result == NULL || !data->result->reducers[i].known)
			memset(&keys->lookup[i], 0, sizeof(SsdparLookupKeys));
	}
	MemoryContextReset(keys->again);
}

uint64
ssdpar_shared_keys_age(const SsdparSharedKeys *keys)
{
	return keys->age;
}
