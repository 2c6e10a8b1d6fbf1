/*
 * memory_functions.c
 *		A condition that leaves the processes of its query hardly any shared
 *		memory: a piece of each small size, and nothing large.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "fmgr.h"
#include "utils/dsa.h"

#include "ssdpar_test.h"

/* Sizes that are allocated from superblocks; larger ones take pages. */
#define SMALLEST_PIECE 64
#define LARGEST_PIECE 8192

#define MOST_BYTES (8 * 1024 * 1024)

PG_FUNCTION_INFO_V1(ssdpar_test_fill_memory);

static ExecutorStart_hook_type previous_start;
static ExecutorEnd_hook_type previous_end;
static EState *started;			/* the last one */
static bool filled;				/* is its memory filled? */

static void
note_start(QueryDesc *query, int eflags)
{
	if (previous_start)
		previous_start(query, eflags);
	else
		standard_ExecutorStart(query, eflags);
	started = query->estate;
	filled = false;
}

/*
 * A filter may be evaluated during planning, after the previous query's end.
 */
static void
note_end(QueryDesc *query)
{
	if (query->estate == started)
		started = NULL;
	if (previous_end)
		previous_end(query);
	else
		standard_ExecutorEnd(query);
}

void
ssdpar_test_note_starts(void)
{
	previous_start = ExecutorStart_hook;
	ExecutorStart_hook = note_start;
	previous_end = ExecutorEnd_hook;
	ExecutorEnd_hook = note_end;
}

static bool
allocate(dsa_area *area, Size size)
{
	return DsaPointerIsValid(dsa_allocate_extended(area, size,
												   DSA_ALLOC_NO_OOM));
}

/* fill_memory(value integer) returns value, after half a millisecond */
Datum
ssdpar_test_fill_memory(PG_FUNCTION_ARGS)
{
	dsa_area   *area = started == NULL ? NULL : started->es_query_dsa;

	if (area != NULL && !filled)
	{
		dsa_set_size_limit(area, MOST_BYTES);
		for (Size size = SMALLEST_PIECE; size <= LARGEST_PIECE; size += size / 16)
			(void) allocate(area, size);
		while (allocate(area, LARGEST_PIECE + 1))
			 /* go on */ ;
		filled = true;
	}
	pg_usleep(500);
	PG_RETURN_DATUM(PG_GETARG_DATUM(0));
}
