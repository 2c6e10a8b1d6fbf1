/*
 * sorted_rows.c
 *		A level's joined rows in the order that is wanted of them, sorted at
 *		this machine's price.
 *
 * GROUP BY, window functions, DISTINCT and ORDER BY sort what comes in no
 * order, and core prices that several times too dear for numbers
 * (sort_price.c): an index scan in random order wins.  Steps above the joins
 * take rows that are sorted already, as an index gives them, for what they
 * cost.  So such rows are offered to them.
 *
 * Where a sort is dearer than core thinks there is nothing to offer: what has
 * lost against it is gone when a hook comes.
 */
#include "postgres.h"

#include "nodes/pathnodes.h"
#include "optimizer/cost.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "utils/float.h"

#include "base/notes.h"
#include "base/settings.h"
#include "cost/row_work.h"
#include "cost/sort_price.h"
#include "cost/sorted_rows.h"
#include "cost/tablespace_model.h"

/* Is the key a column that rel's rows have? */
static bool
is_column(const RelOptInfo *rel, const PathKey * key)
{
	ListCell   *lc;

	foreach(lc, key->pk_eclass->ec_members)
	{
		const		EquivalenceMember *member = lfirst(lc);

		if (IsA(member->em_expr, Var) && !member->em_is_child &&
			list_member(rel->reltarget->exprs, member->em_expr))
			return true;
	}
	return false;
}

static bool
are_columns(const RelOptInfo *rel, List *pathkeys)
{
	ListCell   *lc;

	foreach(lc, pathkeys)
		if (!is_column(rel, lfirst(lc)))
			return false;
	return true;
}

static bool
wants_sorted(PlannerInfo *root, RelOptInfo *rel)
{
	return ssdpar_cost_model && ssdpar_notes()->seconds_per_unit > 0.0 &&
		enable_sort && root->query_pathkeys != NIL &&
		bms_is_subset(root->all_baserels, rel->relids) &&
		rel->fdwroutine == NULL && !IS_DUMMY_REL(rel) &&
		are_columns(rel, root->query_pathkeys);
}

/* How many rows are wanted of those sorted, if the level says; -1: all. */
static double
first_rows(const PlannerInfo *root)
{
	const Query *parse = root->parse;

	return parse->hasAggs || parse->groupClause != NIL ||
		parse->groupingSets != NIL || parse->hasWindowFuncs ||
		parse->distinctClause != NIL || parse->hasTargetSRFs ?
		-1.0 : root->limit_tuples;
}

static Path *
cheapest(List *paths)
{
	Path	   *least = NULL;
	ListCell   *lc;

	foreach(lc, paths)
	{
		Path	   *path = lfirst(lc);

		if (path->param_info == NULL &&
			(least == NULL ||
			 compare_path_costs(path, least, TOTAL_COST) < 0))
			least = path;
	}
	return least;
}

/* NULL: they are sorted, or core's price for that will do. */
static Path *
sorted_cheaper(PlannerInfo *root, const SsdparModel *model, RelOptInfo *rel,
			   Path *rows)
{
	Path	   *sort;
	Cost		longer;

	if (rows == NULL ||
		pathkeys_contained_in(root->query_pathkeys, rows->pathkeys))
		return NULL;
	sort = ssdpar_create_sort(root, model, rel, rows, root->query_pathkeys,
							  first_rows(root), get_float8_infinity(),
							  &longer);
	return longer < 0.0 &&
		ssdpar_price_matters(longer, sort->total_cost,
							 model->machine->seconds_per_cost_unit) ?
		sort : NULL;
}

/* As add_path() compares two whose costs differ, without parameters. */
static bool
loses(const RelOptInfo *rel, const Path *path, const Path *sorted)
{
	return path->param_info == NULL &&
		compare_path_costs((Path *) path, (Path *) sorted, TOTAL_COST) > 0 &&
		path->total_cost > sorted->total_cost * 1.01 &&
		(!rel->consider_startup ||
		 path->startup_cost >= sorted->startup_cost) &&
		pathkeys_contained_in(path->pathkeys, sorted->pathkeys);
}

/*
 * The paths with one more in its place, since core keeps them in order of cost.
 * Not by add_path(): that frees what loses, and rows lose against the same
 * sorted where sorting takes less than it tells apart.  A Gather that is added
 * later makes none of them lose that is parallel-safe.
 */
static List *
with_path(const RelOptInfo *rel, List *paths, Path *sorted)
{
	List	   *result = NIL;
	int			place = 0;
	ListCell   *lc;

	foreach(lc, paths)
	{
		Path	   *path = lfirst(lc);

		if (loses(rel, path, sorted))
			continue;
		result = lappend(result, path);
		if (compare_path_costs(path, sorted, TOTAL_COST) <= 0)
			place = list_length(result);
	}
	return list_insert_nth(result, place, sorted);
}

void
ssdpar_offer_sorted_rows(PlannerInfo *root, RelOptInfo *rel)
{
	SsdparModel model;
	Path	   *rows;
	Path	   *sorted;

	if (!wants_sorted(root, rel) ||
		!ssdpar_model_get(ssdpar_notes()->priced_tablespace, &model))
		return;
	sorted = sorted_cheaper(root, &model, rel,
							cheapest(rel->partial_pathlist));
	if (sorted != NULL && rel->consider_parallel)
		rel->partial_pathlist = with_path(rel, rel->partial_pathlist,
										  sorted);
	rows = cheapest(rel->pathlist);
	sorted = sorted_cheaper(root, &model, rel, rows);
	if (sorted == NULL ||
		(rel->partial_pathlist != NIL && !rows->parallel_safe))
		return;
	rel->pathlist = with_path(rel, rel->pathlist, sorted);

	/* of a join they have been chosen already */
	if (rel->cheapest_total_path != NULL)
		set_cheapest(rel);
}
