/*
 * declared_row.h
 *		The rows of a function as the extension's script declares them.
 *
 * The library may be newer than the script that ran in a database, or older.
 * Arguments cannot be told so: a function whose arguments change gets another
 * name in C, which the other version then does not find.
 */
#ifndef SSDPAR_DECLARED_ROW_H
#define SSDPAR_DECLARED_ROW_H

#include "access/tupdesc.h"
#include "fmgr.h"

/*
 * For a function that returns rows of columns of these types: as
 * InitMaterializedSRF(), but an error if it is declared otherwise.
 */
extern void ssdpar_begin_rows(FunctionCallInfo fcinfo, const Oid *types,
							  int ncolumns);

/* The same for one that returns a row, which is then to be formed. */
extern TupleDesc ssdpar_declared_row(FunctionCallInfo fcinfo,
									 const Oid *types, int ncolumns);

#endif							/* SSDPAR_DECLARED_ROW_H */
