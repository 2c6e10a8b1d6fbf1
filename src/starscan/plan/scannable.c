/*
 * scannable.c
 *		Which tables a star scan can read.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "utils/syscache.h"

#include "base/plain_table.h"
#include "base/planner_compat.h"
#include "starscan/plan/scannable.h"

/*
 * Row addresses mean what we think they mean only in heaps.  A table whose scan
 * somebody gave advice for is left to core, which follows it.
 */
bool
ssdpar_is_scannable(PlannerInfo *root, RelOptInfo *rel)
{
	Oid			table = root->simple_rte_array[rel->relid]->relid;
	HeapTuple	tuple;
	bool		heap;

	if (!ssdpar_is_plain_table(root, rel) ||
		ssdpar_scan_is_advised(root, rel) ||
		!bms_is_empty(rel->lateral_relids) || rel->pathlist == NIL)
		return false;
	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(table));
	if (!HeapTupleIsValid(tuple))
		return false;
	heap = ((Form_pg_class) GETSTRUCT(tuple))->relam == HEAP_TABLE_AM_OID;
	ReleaseSysCache(tuple);
	return heap;
}
