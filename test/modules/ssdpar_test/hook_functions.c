/*
 * hook_functions.c
 *		What another extension's hook would see of a statement's planning.
 */
#include "postgres.h"

#include "executor/spi.h"
#include "fmgr.h"
#include "nodes/pathnodes.h"
#include "optimizer/pathnode.h"
#include "optimizer/plancat.h"
#include "utils/builtins.h"

#include "base/planner_compat.h"

PG_FUNCTION_INFO_V1(ssdpar_test_tables_shown_early);

static SsdparRelationHook previous_relation;
static int64 shown_early;

/*
 * Core makes lists of a level's conditions before it looks up its tables, and
 * others rely on that.
 */
static void
count_early(SSDPAR_RELATION_PARAMETERS)
{
	Node	   *quals = root->parse->jointree->quals;

	if (previous_relation)
		previous_relation(SSDPAR_RELATION_ARGUMENTS);
	if (quals != NULL && !IsA(quals, List))
		shown_early++;
}

/* tables_shown_early(query text) returns bigint */
Datum
ssdpar_test_tables_shown_early(PG_FUNCTION_ARGS)
{
	char	   *explain = psprintf("EXPLAIN %s",
								   text_to_cstring(PG_GETARG_TEXT_PP(0)));

	shown_early = 0;
	previous_relation = SSDPAR_RELATION_HOOK;
	SSDPAR_RELATION_HOOK = count_early;
	PG_TRY();
	{
		SPI_connect();
		SPI_execute(explain, false, 0);
		SPI_finish();
	}
	PG_FINALLY();
	{
		SSDPAR_RELATION_HOOK = previous_relation;
	}
	PG_END_TRY();
	PG_RETURN_INT64(shown_early);
}
