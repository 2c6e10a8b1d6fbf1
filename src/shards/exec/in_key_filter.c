/*
 * in_key_filter.c
 *		ssdpar.in_key_filter(): what another server is asked by where keys are
 *		too many to be listed.
 *
 * It stands in remote queries of postgres_fdw, so it has to give the same
 * answer wherever it is executed, and no error that the query would not have
 * without it.  The column there may be of another type than it is declared
 * with here: whatever is no integer may be in the filter, and so may everything
 * where the filter is of a version that is not known.  The joins of the query
 * that sent it decide.
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
				 errdetail("ssdpar makes key filters, and sends them along with queries of foreign tables."),
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
