/*
 * star_enter.c
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

#include "planner/star_enter.h"

/*
 * What the joins above take for a row, in units of cpu_tuple_cost: 80 to 130 ns
 * for being looked up in a hash table, where a unit is 40 ns.
 */
#define JOINED_TUPLES 3.0

double
ssdpar_star_score(double total_cost, double rows)
{
	return total_cost + rows * JOINED_TUPLES * cpu_tuple_cost;
}

/* Does other lose against path, being useful for nothing else? */
static bool
loses(const Path *other, const Path *path)
{
	return other->param_info == NULL &&
		ssdpar_star_score(other->total_cost, other->rows) >=
		ssdpar_star_score(path->total_cost, path->rows) &&
		(other->pathkeys == NIL || other->total_cost <= path->total_cost);
}

/* Is there one that is as good in all respects? */
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

/* The list of paths with path in its place: core keeps it in order of cost. */
static List *
enter(RelOptInfo *rel, List *paths, Path *path)
{
	List	   *entered = NIL;
	bool		placed = false;
	ListCell   *lc;

	if (is_dominated(paths, path))
		return paths;
	foreach(lc, paths)
	{
		Path	   *other = lfirst(lc);

		if (!rel->consider_startup && loses(other, path))
			continue;
		if (!placed && compare_path_costs(path, other, TOTAL_COST) < 0)
		{
			entered = lappend(entered, path);
			placed = true;
		}
		entered = lappend(entered, other);
	}
	return placed ? entered : lappend(entered, path);
}

void
ssdpar_enter_path(RelOptInfo *rel, Path *path)
{
	rel->pathlist = enter(rel, rel->pathlist, path);
}

void
ssdpar_enter_partial_path(RelOptInfo *rel, Path *path)
{
	rel->partial_pathlist = enter(rel, rel->partial_pathlist, path);
}
