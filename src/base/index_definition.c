/*
 * index_definition.c
 *		ssdpar.index_definition(): like pg_get_indexdef(), but never waits.
 *
 * The server opens the table to find the names of its columns.  That waits if
 * the table is locked, and fails if it was dropped concurrently.
 */
#include "postgres.h"

#include "catalog/index.h"
#include "fmgr.h"
#include "storage/lmgr.h"
#include "utils/fmgroids.h"
#include "utils/syscache.h"

PG_FUNCTION_INFO_V1(ssdpar_sql_index_definition);

/*
 * index_definition(index oid) returns text: NULL if it would have to wait, or
 * if there is no such index.
 */
Datum
ssdpar_sql_index_definition(PG_FUNCTION_ARGS)
{
	Oid			index = PG_GETARG_OID(0);
	Oid			table = IndexGetRelation(index, true);
	Datum		definition = (Datum) 0;

	if (!OidIsValid(table) ||
		!ConditionalLockRelationOid(table, AccessShareLock))
		PG_RETURN_NULL();
	/* taking the lock has processed invalidations */
	if (SearchSysCacheExists1(INDEXRELID, ObjectIdGetDatum(index)))
		definition = OidFunctionCall1(F_PG_GET_INDEXDEF_OID,
									  ObjectIdGetDatum(index));
	UnlockRelationOid(table, AccessShareLock);
	if (definition == (Datum) 0)
		PG_RETURN_NULL();
	PG_RETURN_DATUM(definition);
}
