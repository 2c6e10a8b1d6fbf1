/*
 * shared_keys.c
 *		Keys that the scans of all partitions of a fact have in common: each
 *		process reads the dimensions once, when the first of its scans needs
 *		them, and keeps what the others will.
 *
 * They are a process's own.  To share them among processes would save the
 * others no time, since they would wait for the one that reads; and partitions
 * are given to processes in an order that nobody knows.
 *
 * Why a partition may be left out.  Its bounds hold for each of its rows: the
 * server checks them when a row comes in and when a table is attached, and our
 * lock keeps it from being detached.  A row whose column lies in none of the
 * ranges is not there, and a NULL equals no key.  So where no key lies in a
 * range, no row matches, and no scan would find any.  Default partitions have
 * no ranges.  Keys are compared as integers, in the order of their type.
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "base/compat.h"
#include "starscan/exec/meanwhile.h"
#include "starscan/exec/repeat.h"
#include "starscan/exec/shared_keys.h"

/*
 * Invariant: data has a result if anything is known, all of it if complete.
 * What it is made of lies in first, or if that was made once more, but for
 * what no parameter can change, in again.
 */
struct SsdparSharedKeys
{
	const SsdparStarPlan *plan;
	SsdparStarChild *children;
	SsdparStarData *data;
	bool		complete;
	uint64		age;
	SsdparLookupKeys *lookup;	/* one a reducer */
	SsdparRing *ring;			/* of the scans' pages, or NULL */
	List	   *parts;			/* const bool *: has been left out */
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
 * A reducer that no key came to in the first run leaves those behind it
 * unread.  A constant one of these, read in a later run, stays as well: at
 * most once for each.
 */
static void
keep_changed(SsdparSharedKeys *keys)
{
	MemoryContext parent = MemoryContextGetParent(keys->first);

	MemoryContextSetParent(keys->again, keys->first);
	keys->again = create_changing(parent);
}

/* What was known before has been looked up before. */
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

/* Is there one in the range?  The first that is not below it will tell. */
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

/* Keys that were too many to keep may be any. */
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
