/*
 * add_path.c
 *		Adds star scans to the paths of their table.
 *
 * Core's add_path() cannot be used, for two reasons.
 *
 * It frees the paths that lose.  At this point of planning other paths may
 * refer to them: a Gather in the table's paths to its partial paths, an Append
 * to those of the partitions.
 *
 * Also, core assumes that all paths of a table produce the same rows, so joins
 * consider only the cheapest one.  A star scan has fewer rows.  A sequential
 * one takes longer than a plain scan, but saves the joins above more than
 * that.  Therefore the cost of each row in the joins is added before paths are
 * compared, and a plain scan that loses then is removed.  Parameterized paths,
 * the inner sides of nested loops, stay, because core compares whole joins
 * there.  All paths stay if only the first rows may be wanted (LIMIT), since a
 * star scan must find its keys before it begins.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"

#include "starscan/plan/add_path.h"

/*
 * Cost of a row in the joins above, in units of cpu_tuple_cost: mainly a
 * lookup in a hash table.
 */
#define JOINED_TUPLES 3.0

Cost
ssdpar_cost_with_joins(Cost total_cost, double rows)
{
	return total_cost + rows * JOINED_TUPLES * cpu_tuple_cost;
}

/*
 * Is there a path that is as good in all respects?  Core's fuzzy comparison of
 * costs is not used, because a star scan that is slightly better is better.
 */
static bool
is_dominated(List *paths, const Path *path)
{
	ListCell   *lc;

	foreach(lc, paths)
	{
		Path	   *other = lfirst(lc);

		if (other->param_info == NULL && other->rows <= path->rows &&
			other->startup_cost <= path->startup_cost &&
			compare_path_costs(other, (Path *) path, TOTAL_COST) <= 0)
			return true;
	}
	return false;
}

#ifdef USE_ASSERT_CHECKING
/*
 * The order in which add_path() leaves a list, and on which it relies when it
 * inserts the next path: by disabled nodes, then by total cost.  Paths of
 * equal total cost are in the order of insertion, so the startup cost does not
 * matter.
 */
static bool
is_in_order(List *paths)
{
	for (int i = 1; i < list_length(paths); i++)
	{
		Path	   *one = list_nth(paths, i - 1);
		Path	   *next = list_nth(paths, i);

		if (compare_path_costs(one, next, TOTAL_COST) > 0 &&
			one->total_cost != next->total_cost)
			return false;
	}
	return true;
}
#endif

/*
 * Returns the list of paths with path inserted at its position, as core keeps
 * it sorted by cost.  Paths that lose by it are removed unless they are useful
 * for another reason: a parameterized one may be the inner side of a nested
 * loop, a cheaper one with an order may save a sort.
 */
static List *
with_path(RelOptInfo *rel, List *paths, Path *path)
{
	double		score = ssdpar_cost_with_joins(path->total_cost, path->rows);
	List	   *result = NIL;
	bool		placed = false;
	ListCell   *lc;

	if (is_dominated(paths, path))
		return paths;
	foreach(lc, paths)
	{
		Path	   *other = lfirst(lc);

		if (!rel->consider_startup && other->param_info == NULL &&
			ssdpar_cost_with_joins(other->total_cost, other->rows) >= score &&
			(other->pathkeys == NIL || other->total_cost <= path->total_cost))
			continue;
		if (!placed && compare_path_costs(path, other, TOTAL_COST) < 0)
		{
			result = lappend(result, path);
			placed = true;
		}
		result = lappend(result, other);
	}
	return placed ? result : lappend(result, path);
}

void
ssdpar_add_path(RelOptInfo *rel, Path *path)
{
	rel->pathlist = with_path(rel, rel->pathlist, path);
	Assert(is_in_order(rel->pathlist));
}

void
ssdpar_add_partial_path(RelOptInfo *rel, Path *path)
{
	rel->partial_pathlist = with_path(rel, rel->partial_pathlist, path);
	Assert(is_in_order(rel->partial_pathlist));
}
