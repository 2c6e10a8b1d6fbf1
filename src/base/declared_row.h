/*
 * declared_row.h
 *		Checks the result columns of functions against the extension's script.
 *
 * The library may be newer or older than the script that was run in a
 * database. We cannot check arguments like this.  Therefore, a function whose
 * arguments change gets a new C name, which the other version does not find.
 */
#ifndef SSDPAR_DECLARED_ROW_H
#define SSDPAR_DECLARED_ROW_H

#include "access/tupdesc.h"
#include "fmgr.h"

/*
 * Like InitMaterializedSRF(), but raises an error if the declared columns do
 * not have these types.
 */
extern void ssdpar_begin_rows(FunctionCallInfo fcinfo, const Oid *types,
							  int ncolumns);

/* The same for a function that returns a single row. */
extern TupleDesc ssdpar_declared_row(FunctionCallInfo fcinfo,
									 const Oid *types, int ncolumns);

#endif							/* SSDPAR_DECLARED_ROW_H */
