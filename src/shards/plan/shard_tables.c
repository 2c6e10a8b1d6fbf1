/*
 * shard_tables.c
 *		Finds the foreign tables that a fact consists of.
 *
 * Only tables of postgres_fdw qualify, because we know that it sends a
 * condition with a parameter, and when it reads the parameter's value.
 */
#include "postgres.h"

#include "catalog/pg_class.h"
#include "foreign/fdwapi.h"
#include "foreign/foreign.h"
#include "miscadmin.h"

#include "shards/link/address.h"
#include "shards/plan/shard_tables.h"
#include "star/star.h"

/*
 * We will let postgres_fdw rebuild the paths, so all must be its own, and one
 * must be unparameterized.
 */
static bool
has_only_foreign_paths(const RelOptInfo *rel)
{
	ListCell   *lc;

	foreach(lc, rel->pathlist)
	{
		if (!IsA(lfirst(lc), ForeignPath))
			return false;
	}
	return rel->pathlist != NIL && rel->partial_pathlist == NIL &&
		rel->cheapest_total_path != NULL &&
		rel->cheapest_total_path->param_info == NULL;
}

static bool
is_shard_table(PlannerInfo *root, const RelOptInfo *rel)
{
	const RangeTblEntry *rte = root->simple_rte_array[rel->relid];

	return rte->rtekind == RTE_RELATION &&
		rte->relkind == RELKIND_FOREIGN_TABLE && rel->fdwroutine != NULL &&
		rte->tablesample == NULL && bms_is_empty(rel->lateral_relids) &&
		has_only_foreign_paths(rel) &&
		ssdpar_is_postgres_fdw(GetForeignServer(rel->serverid));
}

List *
ssdpar_shard_tables(PlannerInfo *root, RelOptInfo *fact)
{
	List	   *shards = NIL;
	ListCell   *lc;

	check_stack_depth();
	if (IS_DUMMY_REL(fact) || fact->rtekind != RTE_RELATION)
		return NIL;
	if (!ssdpar_is_parent(root, fact))
		return is_shard_table(root, fact) ? list_make1(fact) : NIL;
	foreach(lc, ssdpar_live_partitions(root, fact))
		shards = list_concat(shards, ssdpar_shard_tables(root, lfirst(lc)));
	return shards;
}
