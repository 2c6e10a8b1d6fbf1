/*
 * error_free_aggregate.c
 *		Determines which aggregates cannot raise an error.
 *
 * Only a few aggregates are listed, those that are common in subqueries used
 * in filters.  Aggregates cannot be marked leakproof, so user-defined ones are
 * assumed to raise errors.
 */
#include "postgres.h"

#include "nodes/nodeFuncs.h"
#include "nodes/primnodes.h"
#include "utils/fmgroids.h"

#include "star/error_free.h"

/* Is the only argument a numeric with declared precision?  */
static bool
is_bounded_numeric(List *args)
{
	return list_length(args) == 1 &&
		exprTypmod((Node *) linitial_node(TargetEntry, args)->expr) >= 0;
}

/*
 * Counts and sums of integers have more digits than any number of rows can
 * require.  Numerics are limited to 131072 digits, which sums of a column with
 * declared precision cannot reach.
 */
bool
ssdpar_aggregate_is_error_free(Oid aggregate, List *args, Oid collation)
{
	switch (aggregate)
	{
		case F_COUNT_:
		case F_COUNT_ANY:
		case F_SUM_INT2:
		case F_SUM_INT4:
		case F_SUM_INT8:
		case F_AVG_INT2:
		case F_AVG_INT4:
		case F_AVG_INT8:
		case F_BOOL_AND:
		case F_BOOL_OR:
		case F_EVERY:
			return true;
		case F_SUM_NUMERIC:
		case F_AVG_NUMERIC:
			return is_bounded_numeric(args);
		case F_MIN_INT2:
		case F_MAX_INT2:
		case F_MIN_INT4:
		case F_MAX_INT4:
		case F_MIN_INT8:
		case F_MAX_INT8:
		case F_MIN_NUMERIC:
		case F_MAX_NUMERIC:
		case F_MIN_DATE:
		case F_MAX_DATE:
		case F_MIN_TIMESTAMP:
		case F_MAX_TIMESTAMP:
		case F_MIN_TIMESTAMPTZ:
		case F_MAX_TIMESTAMPTZ:
			return true;
		case F_MIN_TEXT:
		case F_MAX_TEXT:
		case F_MIN_BPCHAR:
		case F_MAX_BPCHAR:
			return OidIsValid(collation);
		default:
			return false;
	}
}
