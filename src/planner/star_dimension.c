/*
 * star_dimension.c
 *		Whether a relation can be read a second time, for its keys alone, and
 *		how.
 *
 * Both reads must see the same rows.  They use one snapshot, so tables do,
 * foreign ones aside, unless something volatile, random (TABLESAMPLE) or
 * dependent on order (LIMIT, DISTINCT ON, window functions, aggregates over
 * floats or lists) is computed on the way.
 *
 * DISTINCT and GROUP BY keep one of several rows that are equal, and which one
 * depends on the order in which they come.  Where equal values are the same
 * bytes that does not matter; where they are not (numeric, citext), it does to
 * a comparison by other rules, as text.
 *
 * A subquery in FROM is planned twice from the same path.  The server does not
 * expect that and adjusts what belongs to a subquery as a whole in place:
 * inheritance, initplans, row marks.  Subqueries that have any are refused.
 */
#include "postgres.h"

#include "access/nbtree.h"
#include "catalog/pg_class.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/clauses.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/tlist.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "compat.h"
#include "planner/star_dimension.h"

static bool subquery_is_simple(PlannerInfo *subroot);

/*
 * Is rel a foreign table, or the parent of one that the query reads?  The
 * partitions and children of all levels stand among the relations by now.
 */
static bool
reads_foreign_table(PlannerInfo *root, RelOptInfo *rel)
{
	for (int rti = 1; rti < root->simple_rel_array_size; rti++)
	{
		RelOptInfo *part = root->simple_rel_array[rti];

		if (part != NULL && !IS_DUMMY_REL(part) &&
			(part == rel ||
			 bms_equal(part->top_parent_relids, rel->relids)) &&
			root->simple_rte_array[rti]->relkind == RELKIND_FOREIGN_TABLE)
			return true;
	}
	return false;
}

static bool
relation_is_simple(PlannerInfo *root, RelOptInfo *rel)
{
	RangeTblEntry *rte = root->simple_rte_array[rel->relid];

	if (rel->rtekind == RTE_SUBQUERY)
		return rel->subroot != NULL && subquery_is_simple(rel->subroot);
	return rel->rtekind == RTE_RELATION && rte->tablesample == NULL &&
		!reads_foreign_table(root, rel);
}

/*
 * Are values of this expression that are equal the same bytes, in its type's
 * default order?  Btrees ask the same before they merge equal keys.
 */
static bool
is_equal_alike(Node *expr)
{
	TypeCacheEntry *type = lookup_type_cache(exprType(expr),
											 TYPECACHE_BTREE_OPFAMILY);
	Oid			alike;

	if (!OidIsValid(type->btree_opf))
		return false;
	alike = get_opfamily_proc(type->btree_opf, type->btree_opintype,
							  type->btree_opintype, BTEQUALIMAGE_PROC);
	return OidIsValid(alike) &&
		DatumGetBool(OidFunctionCall1Coll(alike, exprCollation(expr),
										  ObjectIdGetDatum(type->btree_opintype)));
}

/* Do all of these clauses group rows that are alike? */
static bool
groups_alike(Query *query, List *clauses)
{
	ListCell   *lc;

	foreach(lc, clauses)
	{
		if (!is_equal_alike(get_sortgroupclause_expr(lfirst(lc),
													 query->targetList)))
			return false;
	}
	return true;
}

/* Can this subquery be planned twice, and be relied on to repeat its rows? */
static bool
subquery_is_simple(PlannerInfo *subroot)
{
	Query	   *query = subroot->parse;

	if (query->commandType != CMD_SELECT || query->hasAggs ||
		query->hasWindowFuncs || query->hasTargetSRFs ||
		query->hasDistinctOn || query->hasSubLinks || query->cteList ||
		query->setOperations || query->limitCount || query->limitOffset ||
		query->rowMarks || query->groupingSets ||
		subroot->init_plans || subroot->append_rel_list ||
		subroot->rowMarks || subroot->hasLateralRTEs ||
		!groups_alike(query, query->distinctClause) ||
		!groups_alike(query, query->groupClause))
		return false;
	for (int rti = 1; rti < subroot->simple_rel_array_size; rti++)
	{
		RelOptInfo *rel = subroot->simple_rel_array[rti];

		if (rel != NULL && rel->reloptkind == RELOPT_BASEREL &&
			!relation_is_simple(subroot, rel))
			return false;
	}
	return true;
}

/* NULL, or why this kind of relation is refused. */
static const char *
kind_problem(PlannerInfo *root, RelOptInfo *rel)
{
	RangeTblEntry *rte = root->simple_rte_array[rel->relid];

	switch (rel->rtekind)
	{
		case RTE_RELATION:
			if (rte->tablesample)
				return "a dimension is sampled";
			if (reads_foreign_table(root, rel))
				return "a dimension is a foreign table";
			return NULL;
		case RTE_SUBQUERY:
			if (rte->inh || rel->subroot == NULL ||
				!subquery_is_simple(rel->subroot))
				return "a dimension is a subquery that cannot be read twice";
			return contain_volatile_functions((Node *) rte->subquery) ?
				"a dimension has a volatile function" : NULL;
		case RTE_VALUES:
			return contain_volatile_functions((Node *) rte->values_lists) ?
				"a dimension has a volatile function" : NULL;
		default:
			return "a dimension is neither a table nor a subquery";
	}
}

const char *
ssdpar_dimension_problem(PlannerInfo *root, RelOptInfo *rel)
{
	ListCell   *lc;
	const char *problem = kind_problem(root, rel);

	if (problem)
		return problem;
	if (!bms_is_empty(rel->lateral_relids))
		return "a dimension is a lateral reference";
	foreach(lc, rel->baserestrictinfo)
	{
		RestrictInfo *restriction = lfirst_node(RestrictInfo, lc);

		/* core remembers the answer there */
		if (contain_volatile_functions((Node *) restriction))
			return "a dimension has a volatile function";
		if (contain_subplans((Node *) restriction->clause))
			return "a dimension is restricted by a subquery";
	}
	if (IS_DUMMY_REL(rel) || ssdpar_dimension_path(rel, false) == NULL)
		return "a dimension cannot be read by itself";
	return NULL;
}

Path *
ssdpar_dimension_path(RelOptInfo *rel, bool parallel_safe)
{
	Path	   *best = NULL;
	ListCell   *lc;

	foreach(lc, rel->pathlist)
	{
		Path	   *path = lfirst(lc);

		if (path->param_info != NULL || path->parallel_aware ||
			(parallel_safe && !path->parallel_safe))
			continue;
		if (best == NULL ||
			compare_path_costs(path, best, TOTAL_COST) < 0)
			best = path;
	}
	return best;
}
