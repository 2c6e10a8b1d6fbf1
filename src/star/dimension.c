/*
 * dimension.c
 *		Determines whether a relation can be read a second time, for its keys
 *		alone, and how.
 *
 * Both reads must see the same rows.  They use the same snapshot, so tables
 * satisfy this, except foreign tables, unless the relation computes something
 * volatile, random (TABLESAMPLE) or dependent on order (LIMIT, DISTINCT ON,
 * window functions, aggregates over floats or lists).  This file checks the
 * properties of the query as a whole.  repeatable.c checks the expressions of
 * the paths that are executed.
 *
 * DISTINCT and GROUP BY keep one of several equal rows, and the order of the
 * rows determines which one.  If equal values have the same bytes, that does
 * not matter.  Otherwise (numeric, citext), it matters for comparisons by
 * other rules, for example as text.
 *
 * A subquery in FROM is planned twice from the same path.  The server does not
 * expect that and modifies state of the whole subquery in place: inheritance,
 * initplans, row marks.  Subqueries that have any of these are refused.
 */
#include "postgres.h"

#include "access/nbtree.h"
#include "access/transam.h"
#include "catalog/pg_class.h"
#include "nodes/nodeFuncs.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/tlist.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "base/compat.h"
#include "star/dimension.h"
#include "star/error_free.h"
#include "star/repeatable.h"

static bool subquery_is_simple(PlannerInfo *subroot);

/*
 * Is rel a foreign table, or the parent of one that the query reads?  Another
 * server need not return the same rows twice within our snapshot.
 *
 * The partitions and children of all levels are among the relations at this
 * time.
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

/*
 * A snapshot does not fix the row of a sequence, nor catalog columns that are
 * updated in place, so two reads may differ.
 */
static bool
is_fixed_by_snapshot(const RangeTblEntry *rte)
{
	return rte->relkind != RELKIND_SEQUENCE &&
		rte->relid >= FirstNormalObjectId;
}

static bool
relation_is_simple(PlannerInfo *root, RelOptInfo *rel)
{
	RangeTblEntry *rte = root->simple_rte_array[rel->relid];

	if (rel->rtekind == RTE_SUBQUERY)
		return rel->subroot != NULL && subquery_is_simple(rel->subroot);
	return rel->rtekind == RTE_RELATION && rte->tablesample == NULL &&
		is_fixed_by_snapshot(rte) && !reads_foreign_table(root, rel);
}

/*
 * Do equal values of this expression, in the default order of its type, always
 * have the same bytes?  Btrees check the same before they deduplicate keys.
 */
static bool
is_equal_alike(Node *expr)
{
	TypeCacheEntry *type = lookup_type_cache(exprType(expr),
											 TYPECACHE_BTREE_OPFAMILY);
	Datum		argument;
	Oid			alike;

	if (!OidIsValid(type->btree_opf))
		return false;
	alike = get_opfamily_proc(type->btree_opf, type->btree_opintype,
							  type->btree_opintype, BTEQUALIMAGE_PROC);
	argument = ObjectIdGetDatum(type->btree_opintype);
	return OidIsValid(alike) &&
		DatumGetBool(OidFunctionCall1Coll(alike, exprCollation(expr),
										  argument));
}

/* Do all of these clauses group only identical rows, and raise no error?  */
static bool
groups_alike(Query *query, List *clauses)
{
	ListCell   *lc;

	foreach(lc, clauses)
	{
		SortGroupClause *clause = lfirst_node(SortGroupClause, lc);
		Node	   *expr = get_sortgroupclause_expr(clause,
													query->targetList);

		if (!is_equal_alike(expr) || clause->eqop >= FirstNormalObjectId ||
			!ssdpar_grouping_is_error_free(expr))
			return false;
	}
	return true;
}

/*
 * Can this subquery be planned twice, and does it repeat its rows?
 *
 * The results of LIMIT, DISTINCT ON, window functions, and aggregates over
 * floating-point numbers depend on the order of their input, which depends on
 * the path, and two paths may differ.  DISTINCT and GROUP BY keep one of
 * several equal rows, so equal rows must have the same bytes.
 */
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

/* Returns SSDPAR_ACCEPTED, or why this kind of relation is refused.  */
static SsdparRefusal
kind_problem(PlannerInfo *root, RelOptInfo *rel)
{
	RangeTblEntry *rte = root->simple_rte_array[rel->relid];

	switch (rel->rtekind)
	{
		case RTE_RELATION:
			if (rte->tablesample)
				return SSDPAR_REFUSED_SAMPLED;
			if (!is_fixed_by_snapshot(rte))
				return SSDPAR_REFUSED_NOT_FIXED;
			if (reads_foreign_table(root, rel))
				return SSDPAR_REFUSED_FOREIGN;
			return SSDPAR_ACCEPTED;
		case RTE_SUBQUERY:
			if (rte->inh || rel->subroot == NULL ||
				!subquery_is_simple(rel->subroot))
				return SSDPAR_REFUSED_SUBQUERY;
			return SSDPAR_ACCEPTED;
		case RTE_VALUES:
			return SSDPAR_ACCEPTED;
		default:
			return SSDPAR_REFUSED_KIND;
	}
}

/*
 * Returns SSDPAR_ACCEPTED, or what is wrong with the paths by which a star
 * scan would read rel, in one process or in several.
 */
static SsdparRefusal
path_problem(PlannerInfo *root, RelOptInfo *rel)
{
	Path	   *path = ssdpar_dimension_path(rel, false);
	Path	   *shared = ssdpar_dimension_path(rel, true);
	SsdparRefusal problem;

	if (IS_DUMMY_REL(rel) || path == NULL)
		return SSDPAR_REFUSED_NOT_ALONE;

	/* the number of workers determines later which of the two is used */
	problem = ssdpar_repeatable(root, path);
	if (problem == SSDPAR_ACCEPTED && shared != NULL && shared != path)
		problem = ssdpar_repeatable(root, shared);
	return problem;
}

SsdparRefusal
ssdpar_dimension_problem(PlannerInfo *root, RelOptInfo *rel)
{
	SsdparRefusal problem = kind_problem(root, rel);

	if (problem != SSDPAR_ACCEPTED)
		return problem;
	if (!bms_is_empty(rel->lateral_relids))
		return SSDPAR_REFUSED_LATERAL_DIMENSION;
	return path_problem(root, rel);
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
