/*
 * cancel_functions.c
 *		A condition that cancels its own statement at a certain call, and
 *		counts its calls, to measure how quickly a cancel takes effect.
 */
#include "postgres.h"

#include "fmgr.h"
#include "miscadmin.h"

PG_FUNCTION_INFO_V1(ssdpar_test_cancel_at);
PG_FUNCTION_INFO_V1(ssdpar_test_calls);

static int64 calls = 0;

/* cancel_at(call bigint, anything integer) returns false */
Datum
ssdpar_test_cancel_at(PG_FUNCTION_ARGS)
{
	if (++calls == PG_GETARG_INT64(0))
	{
		QueryCancelPending = true;
		InterruptPending = true;
	}
	PG_RETURN_BOOL(false);
}

/* calls() returns bigint: calls of cancel_at() since the last time */
Datum
ssdpar_test_calls(PG_FUNCTION_ARGS)
{
	int64		counted = calls;

	calls = 0;
	PG_RETURN_INT64(counted);
}
