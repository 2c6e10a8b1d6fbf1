/*
 * collectors.c
 *		Runs a child of a star scan and collects its keys and rows.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "miscadmin.h"
#include "utils/memutils.h"

#include "base/compat.h"
#include "starscan/exec/collectors.h"

/* Number of child rows between two calls that continue the early reads.  */
#define ROWS_A_LOOK 256

static bool
survives_snowflakes(const SsdparSnowflake *snowflakes, int count,
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

TupleTableSlot *
ssdpar_next_child_row(SsdparStarChild *child, bool first)
{
	MemoryContext before =
		MemoryContextSwitchTo(child->plan->state->es_query_cxt);
	TupleTableSlot *slot;

	/* if chgParam is set, ExecProcNode rescans */
	if (first && child->ran && child->plan->chgParam == NULL)
		ExecReScan(child->plan);
	child->ran = true;
	slot = ExecProcNode(child->plan);
	MemoryContextSwitchTo(before);
	return slot;
}

static void
collect_row(const SsdparCollectors *into, TupleTableSlot *slot, uint64 code)
{
	if (into->builder != NULL)
		ssdpar_key_builder_add(into->builder, code);
	if (into->keys != NULL)
		ssdpar_lookup_keys_add(into->keys, slot);
	if (into->rows != NULL)
		ssdpar_key_rows_add(into->rows, code, slot);
}

uint64
ssdpar_collect_rows(SsdparStarChild *child, TupleTableSlot *slot,
					const SsdparSnowflake *snowflakes, int nsnowflakes,
					const SsdparCollectors *into, SsdparEarlyRead *early)
{
	MemoryContext row_context = AllocSetContextCreate(CurrentMemoryContext,
													  "SsdparStarScan row",
													  ALLOCSET_SMALL_SIZES);
	uint64		rows = 0;
	uint64		seen = 0;

	for (; !TupIsNull(slot); slot = ssdpar_next_child_row(child, false))
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

SsdparKeyBuilder *
ssdpar_set_builder(const SsdparReducer *reducer, Size max_bytes)
{
	return ssdpar_key_builder(ssdpar_joined_by_keys(reducer) ?
							  MaxAllocHugeSize : max_bytes);
}

SsdparKeyRowsBuilder *
ssdpar_rows_builder(const SsdparReducer *reducer, const SsdparStarChild *child)
{
	if (!ssdpar_joined_by_rows(reducer))
		return NULL;
	return ssdpar_key_rows_builder(ExecGetResultType(child->plan),
								   reducer->njoined_columns,
								   reducer->joined_columns);
}
