/*
 * add_path.c
 *		Puts star scans among the paths of their table.
 *
 * Core's add_path() will not do, for two reasons.
 *
 * It frees the paths that lose.  At this point of planning others may refer to
 * them: a Gather among the paths of a table to its partial paths, an Append to
 * those of the partitions.
 *
 * And core takes all paths of a table to produce the same rows, so joins look
 * at the cheapest one only.  A star scan has fewer.  A sequential one takes
 * longer than a plain scan, and saves the joins above more than that.  So what
 * each row costs the joins is added before paths are compared, and a plain
 * scan that loses then is taken out.  Parameterised paths, the inner sides of
 * nested loops, stay: core compares whole joins there.  So does everything
 * where only the first rows may be wanted (LIMIT), since a star scan has to
 * find its keys before it begins.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"

#include "starscan/plan/add_path.h"

/*
 * What the joins above take for a row, in units of cpu_tuple_cost: 80 to 130 ns
 * for being looked up in a hash table, where a unit is 40 ns.
 */
#define JOINED_TUPLES 3.0

Cost
ssdpar_cost_with_joins(Cost total_cost, double rows)
{
	return total_cost + rows * JOINED_TUPLES * cpu_tuple_cost;
}

/*
 * Is there one that is as good in all respects?  Of the costs core's fuzzy
 * comparison is not asked: a star scan that is better by a little is better.
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
 * looks for the place of the next path: by what is disabled, then by total
 * cost.  Paths of equal total stand as they came, so startup does not count.
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
 * The list of paths with path in its place, since core keeps it in order of
 * cost, and without those that lose by it and are useful for nothing else: a
 * parameterised one may be the inner side of a nested loop, a cheaper one with
 * an order may save a sort.
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
