/*
 * declared_row.c
 *		Checks the result columns of functions against the extension's script.
 */
#include "postgres.h"

#include "funcapi.h"
#include "utils/lsyscache.h"

#include "base/compat.h"
#include "base/declared_row.h"

static void
check(FunctionCallInfo fcinfo, TupleDesc row, const Oid *types, int ncolumns)
{
	bool		good = row->natts == ncolumns;

	for (int i = 0; i < ncolumns && good; i++)
		good = TupleDescAttr(row, i)->atttypid == types[i];
	if (!good)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("ssdpar.%s() has other columns here than ssdpar's library knows",
						get_func_name(fcinfo->flinfo->fn_oid)),
				 errdetail("The extension was made in this database by the "
						   "script of another version."),
				 errhint("Run ALTER EXTENSION ssdpar UPDATE; if there is "
						 "nothing to update, drop the extension and create it "
						 "again.")));
}

void
ssdpar_begin_rows(FunctionCallInfo fcinfo, const Oid *types, int ncolumns)
{
	InitMaterializedSRF(fcinfo, 0);
	check(fcinfo, ((ReturnSetInfo *) fcinfo->resultinfo)->setDesc, types,
		  ncolumns);
}

TupleDesc
ssdpar_declared_row(FunctionCallInfo fcinfo, const Oid *types, int ncolumns)
{
	TupleDesc	row;

	if (get_call_result_type(fcinfo, NULL, &row) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	check(fcinfo, row, types, ncolumns);
	return BlessTupleDesc(row);
}
