/*
 * in_key_filter.c
 *		ssdpar.in_key_filter(): tests on a remote server whether a key may be
 *		among those sent, if these are too many for a list.
 *
 * postgres_fdw sends calls of it, so it must return the same answer on every
 * server, and must not raise an error that the query would not raise without
 * it.  The remote column may have another type than the foreign table
 * declares. Therefore values that are not integers may be in the filter, and
 * if the filter's version is unknown, all values may be.  The joins of the
 * local query decide.
 */
#include "postgres.h"

#include "catalog/pg_type_d.h"
#include "fmgr.h"

#include "base/compat.h"
#include "keys/key_filter.h"

PG_FUNCTION_INFO_V1(ssdpar_sql_in_key_filter);

static bool
may_be_in(const bytea * filter, int64 key)
{
	SsdparKeyFilterAnswer answer =
		ssdpar_key_filter_ask(VARDATA_ANY(filter), VARSIZE_ANY_EXHDR(filter),
							  key);

	if (answer == SSDPAR_KEY_NO_FILTER)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("these bytes are no key filter"),
				 errdetail("ssdpar creates key filters and sends them with queries of foreign tables."),
				 errhint("Do not call ssdpar.in_key_filter() with anything else.")));
	return answer != SSDPAR_KEY_NOT_IN;
}

/* in_key_filter(filter bytea, key "any") */
Datum
ssdpar_sql_in_key_filter(PG_FUNCTION_ARGS)
{
	const		bytea *filter = PG_GETARG_BYTEA_PP(0);

	switch (get_fn_expr_argtype(fcinfo->flinfo, 1))
	{
		case INT2OID:
			PG_RETURN_BOOL(may_be_in(filter, PG_GETARG_INT16(1)));
		case INT4OID:
			PG_RETURN_BOOL(may_be_in(filter, PG_GETARG_INT32(1)));
		case INT8OID:
			PG_RETURN_BOOL(may_be_in(filter, PG_GETARG_INT64(1)));
		default:
			PG_RETURN_BOOL(true);
	}
}
