/*
 * plain_table.c
 *		The common test for relations that the cost model prices, star scans
 *		read, and splits divide.
 *
 * Their further conditions (that the table is a heap, is large enough, or is
 * joined by equality) are checked by each of them.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "catalog/pg_am.h"
#include "catalog/pg_class.h"
#include "utils/lsyscache.h"
#include "utils/syscache.h"

#include "base/plain_table.h"

/*
 * The range table entry is not enough.  On its coordinator, Citus plans a
 * distributed partitioned table as if it were a plain table, but it has
 * neither a file nor rows there.  Therefore check the catalog, except for
 * children: there may be thousands, and core has just built their entries from
 * the catalog.
 */
static bool
is_entry_true(PlannerInfo *root, const RelOptInfo *rel)
{
	const RangeTblEntry *rte = root->simple_rte_array[rel->relid];

	if (rel->reloptkind == RELOPT_OTHER_MEMBER_REL &&
		OidIsValid(root->append_rel_array[rel->relid]->parent_reloid))
		return true;
	return get_rel_relkind(rte->relid) == rte->relkind;
}

bool
ssdpar_is_plain_table(PlannerInfo *root, const RelOptInfo *rel)
{
	const RangeTblEntry *rte = root->simple_rte_array[rel->relid];

	if (rel->reloptkind != RELOPT_BASEREL &&
		rel->reloptkind != RELOPT_OTHER_MEMBER_REL)
		return false;

	/*
	 * If inh is set, the rows are those of child relations.  Catalogs are
	 * excluded, because they are read during planning, and by the server's
	 * own queries, which we must not change.
	 */
	return rte->rtekind == RTE_RELATION && !rte->inh &&
		(rte->relkind == RELKIND_RELATION ||
		 rte->relkind == RELKIND_MATVIEW) &&
		rte->tablesample == NULL && rte->relid >= FirstNormalObjectId &&
		is_entry_true(root, rel);
}

bool
ssdpar_is_heap(PlannerInfo *root, const RelOptInfo *rel)
{
	Oid			table = root->simple_rte_array[rel->relid]->relid;
	HeapTuple	tuple = SearchSysCache1(RELOID, ObjectIdGetDatum(table));
	bool		heap;

	if (!HeapTupleIsValid(tuple))
		return false;
	heap = ((Form_pg_class) GETSTRUCT(tuple))->relam == HEAP_TABLE_AM_OID;
	ReleaseSysCache(tuple);
	return heap;
}
