/*
 * star_keys.c
 *		A star scan's first phase: reads the dimensions and keeps their keys.
 *
 * The children run in the order of the reducers, so that one which reduces
 * another (a snowflake) is known before.  From each come a set of key codes,
 * for testing rows, and where an index is to be asked the keys themselves.
 * All of that stays within hash_mem: a set degrades to a Bloom filter, keys
 * that are too many for the index are given up, and so is a set for which
 * there is no memory at all.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"

#include "compat.h"
#include "starscan/star_state.h"

/* An earlier reducer's say in what a child's row is worth. */
typedef struct Snowflake
{
	SsdparKeyCoder *coder;
	const SsdparKeySet *set;
} Snowflake;

/* One reducer while its child runs. */
typedef struct Harvest
{
	SsdparStarState *state;
	const SsdparReducer *reducer;
	SsdparStarFound *found;
	int			nsnowflakes;
	Snowflake  *snowflakes;
	SsdparKeyCoder *coder;
	SsdparKeyBuilder *builder;

	/* For the index. */
	SsdparStarIndexKeys *index_keys;
	SsdparKeyCoder *index_coder;	/* of integers; may be coder */
	AttrNumber	column;			/* or this output column as it is */
	int16		length;
	bool		byval;
	MemoryContext memory;
	Size		max_bytes;		/* for each of builder, set and index keys */
} Harvest;

/*
 * What goes to the index.
 */

/* The reducer as if it compared the indexed column alone. */
static SsdparReducer *
indexed_part(const SsdparReducer *reducer)
{
	SsdparReducer *part = palloc(sizeof(SsdparReducer));
	int			i = reducer->index_column;

	*part = *reducer;
	part->ncolumns = 1;
	part->target_columns[0] = reducer->target_columns[i];
	part->key_columns[0] = reducer->key_columns[i];
	part->operators[0] = reducer->operators[i];
	part->collations[0] = reducer->collations[i];
	return part;
}

static void
want_integers(Harvest *harvest, SsdparReducer *part)
{
	SsdparStarIndexKeys *keys = harvest->index_keys;

	keys->wanted = true;
	if (harvest->reducer->ncolumns == 1)
	{
		harvest->index_coder = harvest->coder;
		keys->builder = harvest->builder;
		keys->exact = true;
	}
	else
	{
		harvest->index_coder = ssdpar_key_coder(part, SSDPAR_SIDE_KEY);
		keys->builder = ssdpar_key_builder(harvest->max_bytes);
	}
}

/*
 * Values as they are, which the index can only look for if both sides of the
 * comparison have one type.
 */
static void
want_datums(Harvest *harvest, SsdparReducer *part, TupleDesc child)
{
	Oid			target_type;
	Oid			key_type;

	op_input_types(part->operators[0], &target_type, &key_type);
	if (target_type != key_type)
		return;
	harvest->index_keys->wanted = true;
	harvest->index_keys->exact = harvest->reducer->ncolumns == 1;
	harvest->column = part->key_columns[0];
	harvest->length = TupleDescAttr(child, harvest->column - 1)->attlen;
	harvest->byval = TupleDescAttr(child, harvest->column - 1)->attbyval;
	harvest->memory = AllocSetContextCreate(CurrentMemoryContext,
											"SsdparStarScan index keys",
											ALLOCSET_DEFAULT_SIZES);
}

static bool
is_index_planned(const Harvest *harvest)
{
	return harvest->state->plan->access == SSDPAR_STAR_BITMAP &&
		OidIsValid(harvest->reducer->index) &&
		harvest->reducer->target == SSDPAR_TARGET_FACT;
}

static void
want_index_keys(Harvest *harvest, PlanState *child)
{
	SsdparReducer *part;

	if (!is_index_planned(harvest))
		return;
	part = indexed_part(harvest->reducer);
	if (ssdpar_key_code_is_exact(part))
		want_integers(harvest, part);
	else
		want_datums(harvest, part, ExecGetResultType(child));
}

/* Too many keys: the index is not asked. */
static void
give_up_datums(Harvest *harvest)
{
	MemoryContextReset(harvest->memory);
	harvest->index_keys->datums = NULL;
	harvest->index_keys->nkeys = 0;
	harvest->index_keys->wanted = false;
}

/*
 * A copy, and all of it: what is stored out of line or compressed would be
 * taken out anew at every comparison, with an index page locked.
 */
static Datum
copy_datum(const Harvest *harvest, Datum value)
{
	if (harvest->length == -1 &&
		(VARATT_IS_EXTERNAL(DatumGetPointer(value)) ||
		 VARATT_IS_COMPRESSED(DatumGetPointer(value))))
		return PointerGetDatum(PG_DETOAST_DATUM_COPY(value));
	return datumCopy(value, harvest->byval, harvest->length);
}

static void
add_datum(Harvest *harvest, Datum value)
{
	SsdparStarIndexKeys *keys = harvest->index_keys;
	MemoryContext before = MemoryContextSwitchTo(harvest->memory);

	if (keys->nkeys == keys->room)
	{
		Size		room = keys->room > 0 ? mul_size(keys->room, 2) : 256;

		keys->datums = keys->datums == NULL ?
			palloc(room * sizeof(Datum)) :
			repalloc_huge(keys->datums, mul_size(room, sizeof(Datum)));
		keys->room = room;
	}
	keys->datums[keys->nkeys++] = copy_datum(harvest, value);
	MemoryContextSwitchTo(before);
	if (MemoryContextMemAllocated(harvest->memory, false) >
		harvest->max_bytes)
		give_up_datums(harvest);
}

/* The child has ended. */
static void
finish_index_keys(Harvest *harvest)
{
	SsdparStarIndexKeys *keys = harvest->index_keys;

	if (!keys->wanted || keys->builder == NULL)
		return;
	keys->integers = ssdpar_key_builder_sorted(keys->builder, &keys->nkeys);
	if (keys->integers == NULL)
		keys->wanted = false;
}

/*
 * Running a child.
 */

static void
find_snowflakes(Harvest *harvest, int number)
{
	const SsdparStarPlan *plan = harvest->state->plan;

	harvest->snowflakes = palloc_array(Snowflake, Max(number, 1));
	for (int i = 0; i < number; i++)
	{
		Snowflake  *snowflake = &harvest->snowflakes[harvest->nsnowflakes];

		if (plan->reducers[i].target != number ||
			harvest->state->sets[i] == NULL)
			continue;
		snowflake->coder = ssdpar_key_coder(&plan->reducers[i],
											SSDPAR_SIDE_TARGET);
		snowflake->set = harvest->state->sets[i];
		harvest->nsnowflakes++;
	}
}

static bool
survives_snowflakes(Harvest *harvest, TupleTableSlot *slot)
{
	for (int i = 0; i < harvest->nsnowflakes; i++)
	{
		Snowflake  *snowflake = &harvest->snowflakes[i];
		uint64		code;

		if (!ssdpar_key_code(snowflake->coder, slot, &code) ||
			!ssdpar_key_set_has(snowflake->set, code))
			return false;
	}
	return true;
}

/* What is wanted of one row; false if it matches nothing. */
typedef struct Gleaned
{
	uint64		code;
	uint64		integer;		/* for the index */
	Datum		datum;
} Gleaned;

static bool
glean_row(Harvest *harvest, TupleTableSlot *slot, Gleaned *gleaned)
{
	bool		isnull;

	if (!survives_snowflakes(harvest, slot) ||
		!ssdpar_key_code(harvest->coder, slot, &gleaned->code))
		return false;
	if (harvest->column != InvalidAttrNumber)
		gleaned->datum = slot_getattr(slot, harvest->column, &isnull);
	else if (harvest->index_coder != NULL &&
			 harvest->index_coder != harvest->coder)
		return ssdpar_key_code(harvest->index_coder, slot,
							   &gleaned->integer);
	return true;
}

static void
keep_row(Harvest *harvest, const Gleaned *gleaned)
{
	SsdparStarIndexKeys *keys = harvest->index_keys;

	harvest->found->rows++;
	ssdpar_key_builder_add(harvest->builder, gleaned->code);
	if (!keys->wanted || keys->builder == harvest->builder)
		return;
	if (keys->builder != NULL)
		ssdpar_key_builder_add(keys->builder, gleaned->integer);
	else
		add_datum(harvest, gleaned->datum);
}

/*
 * The next row of a child.  What the child allocates for itself on the way
 * lives as long as the query, not as long as the building of the result.
 */
static TupleTableSlot *
next_child_row(PlanState *child)
{
	MemoryContext before =
		MemoryContextSwitchTo(child->state->es_query_cxt);
	TupleTableSlot *slot = ExecProcNode(child);

	MemoryContextSwitchTo(before);
	return slot;
}

/* Again from the start, with what that allocates kept as long. */
static void
rescan_child(PlanState *child)
{
	MemoryContext before =
		MemoryContextSwitchTo(child->state->es_query_cxt);

	ExecReScan(child);
	MemoryContextSwitchTo(before);
}

/* All rows of a child; whatever coding a row allocates goes with the row. */
static void
run_child(Harvest *harvest, int number)
{
	SsdparStarState *state = harvest->state;
	PlanState  *child = state->children[number];
	ExprContext *econtext = state->css.ss.ps.ps_ExprContext;
	TupleTableSlot *slot;

	if (state->child_ran[number] && child->chgParam == NULL)
		rescan_child(child);
	state->child_ran[number] = true;
	while (slot = next_child_row(child), !TupIsNull(slot))
	{
		MemoryContext before =
			MemoryContextSwitchTo(econtext->ecxt_per_tuple_memory);
		Gleaned		gleaned = {0};
		bool		matches = glean_row(harvest, slot, &gleaned);

		MemoryContextSwitchTo(before);
		if (matches)
			keep_row(harvest, &gleaned);
		ResetExprContext(econtext);
		CHECK_FOR_INTERRUPTS();
	}
}

/* The set, for which there may be no memory; returns the bytes it took. */
static Size
keep_set(Harvest *harvest, int number)
{
	SsdparStarFound *found = harvest->found;
	Size		size = ssdpar_key_set_size(harvest->builder);
	void	   *memory = ssdpar_star_allocate(harvest->state, size,
											  &found->set);

	if (memory == NULL)
		return 0;
	harvest->state->sets[number] = ssdpar_key_set_build(harvest->builder,
														memory);
	found->keys = ssdpar_key_set_count(harvest->state->sets[number]);
	strlcpy(found->kind, ssdpar_key_set_kind(harvest->state->sets[number]),
			sizeof(found->kind));
	return size;
}

/*
 * Bytes of what stays until the indexes have been asked: the builder's table
 * is filled to a quarter at least.
 */
static Size
retained_bytes(const Harvest *harvest)
{
	SsdparStarIndexKeys *keys = harvest->index_keys;

	if (!keys->wanted)
		return 0;
	if (keys->builder != NULL)
		return Min(keys->nkeys * 4 * sizeof(uint64), harvest->max_bytes);
	return MemoryContextMemAllocated(harvest->memory, false);
}

/* Within max_bytes; returns how many of them stay in use. */
static Size
harvest_reducer(SsdparStarState *state, int number, Size max_bytes,
				SsdparStarIndexKeys *index_keys)
{
	const SsdparReducer *reducer = &state->plan->reducers[number];
	Harvest		harvest = {
		.state = state,
		.reducer = reducer,
		.found = &state->result->found[number],
		.index_keys = index_keys,
		.max_bytes = max_bytes / 3,
	};
	Size		used;

	find_snowflakes(&harvest, number);
	harvest.coder = ssdpar_key_coder(reducer, SSDPAR_SIDE_KEY);
	if (!is_index_planned(&harvest) ||
		(reducer->ncolumns == 1 && ssdpar_key_code_is_exact(reducer)))
		harvest.max_bytes = max_bytes / 2;	/* no index keys of their own */
	harvest.builder = ssdpar_key_builder(harvest.max_bytes);
	want_index_keys(&harvest, state->children[number]);
	run_child(&harvest, number);
	used = keep_set(&harvest, number);
	finish_index_keys(&harvest);
	if (index_keys->builder != harvest.builder)
		ssdpar_key_builder_free(harvest.builder);
	return used + retained_bytes(&harvest);
}

/*
 * Find all keys; in the current memory context what the indexes are asked for.
 * Without any key nothing more is read: no row of the fact can match, even if
 * the reducer only reduces another.
 */
SsdparStarIndexKeys *
ssdpar_star_find_keys(SsdparStarState *state)
{
	int			n = state->plan->nreducers;
	SsdparStarIndexKeys *index_keys =
		palloc0(n * sizeof(SsdparStarIndexKeys));
	Size		left = get_hash_memory_limit();

	for (int i = 0; i < n; i++)
	{
		Size		used = harvest_reducer(state, i, left / (n - i),
										   &index_keys[i]);

		left -= Min(left, used);
		if (state->result->found[i].rows == 0)
		{
			state->result->empty = true;
			break;
		}
	}
	return index_keys;
}
