/*
 * seen_paths.c
 *		Remembers index paths that core has considered, with their estimates.
 *
 * Estimates take most of the planner's time for a table, and the same path is
 * priced again: as a parallel path, and with another page cost.
 */
#include "postgres.h"

#include "base/compat.h"
#include "cost/seen_paths.h"

/*
 * Copies the path, because core frees it if it loses; core_paths.c reprices
 * the copy without core's search for clauses.
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
 * Are these paths equal as far as we can tell?  Compares the addresses of the
 * clause lists, which a parallel twin shares with its path.  A missed twin
 * costs only time.
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
 * The cost is linear in the page cost.  Lookups have other costs as well, for
 * arrays for example, so they are not reused.
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
