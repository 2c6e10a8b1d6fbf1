/*
 * plain_table.c
 *		Which relations of a query are plain tables: the one test for what is
 *		priced by the cost model, scanned by a star scan, or split.
 *
 * What more each of these asks of a table (that it is a heap, large enough,
 * joined by equality) is its own.
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
 * What a relation's entry says is not all: Citus's coordinator plans a
 * distributed partitioned table as if it were a plain one, with neither file
 * nor rows here.  The catalog knows.  The entry of a child, of which there may
 * be thousands, core has just made of the catalog.
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
	 * A parent's rows are those of other relations: inh.  Catalogs are read
	 * while queries are planned, and by the server's own queries, which are
	 * not ours to change.
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
