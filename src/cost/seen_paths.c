/*
 * seen_paths.c
 *		The index paths of a table that core has considered, with what was
 *		estimated for them.
 *
 * Estimates take most of the planner's time with a table, and the same path
 * comes by again: as a parallel one, and at another cost of a page.
 */
#include "postgres.h"

#include "base/compat.h"
#include "cost/seen_paths.h"

/*
 * By value, since core frees the path if it loses; core_paths.c prices it again
 * without core's search for clauses.
 */
List *
ssdpar_seen_path_add(List *seen, const IndexPath *path, double loop_count,
					 const SsdparIndexEstimate *estimate)
{
	SsdparSeenPath *one = palloc_object(SsdparSeenPath);

	one->path = *path;
	one->loop_count = loop_count;
	one->estimate = *estimate;
	return lappend(seen, one);
}

/*
 * Do these differ in nothing that can be seen here?  By the addresses of the
 * clause lists: those of a parallel twin are those of the path.  A twin that is
 * missed costs time, and nothing else.
 */
static bool
is_twin(const SsdparSeenPath *seen, const IndexPath *path)
{
	return seen->path.indexinfo == path->indexinfo &&
		seen->path.indexclauses == path->indexclauses &&
		seen->path.indexorderbys == path->indexorderbys &&
		seen->path.indexscandir == path->indexscandir &&
		seen->path.path.param_info == path->path.param_info;
}

/*
 * It is so much for each page and something for the processor.  What is looked
 * up costs other things, arrays for one.
 */
bool
ssdpar_seen_path_recall(List *seen, const IndexPath *path, double page_cost,
						SsdparIndexEstimate *estimate)
{
	ListCell   *lc;

	if (path->indexclauses != NIL || path->path.param_info != NULL)
		return false;
	foreach(lc, seen)
	{
		const SsdparSeenPath *one = lfirst(lc);

		if (!is_twin(one, path))
			continue;
		*estimate = one->estimate;
		estimate->total += estimate->pages * (page_cost - estimate->page_cost);
		estimate->page_cost = page_cost;
		return true;
	}
	return false;
}
