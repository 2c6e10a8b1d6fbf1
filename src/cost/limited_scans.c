/*
 * limited_scans.c
 *		Index scans that a LIMIT ends before their last row.
 *
 * Of an index scan whose rows lie in another order than the index, the first
 * rows are on pages of their own, and the last ones on pages that are in memory
 * by then: a tenth of the rows of a table with ten on a page reads two thirds
 * of its pages, for which core takes a tenth of their price (part_cost.h).
 */
#include "postgres.h"

#include <math.h>

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"

#include "base/rows_wanted.h"
#include "cost/limited_scans.h"
#include "cost/part_cost.h"
#include "cost/scan_price.h"
#include "cost/seen_paths.h"

static const SsdparIndexEstimate *
estimate_of(List *seen, const IndexPath *path)
{
	ListCell   *lc;

	foreach(lc, seen)
	{
		const SsdparSeenPath *one = lfirst(lc);

		if (one->path.indexinfo == path->indexinfo &&
			one->path.indexclauses == path->indexclauses &&
			one->path.path.param_info == NULL)
			return &one->estimate;
	}
	return NULL;
}

/* Pages of the table that so many rows read which lie in no order. */
static double
pages_fetched(const SsdparTablePrice *table, const IndexPath *path,
			  double rows)
{
	const RelOptInfo *rel = table->rel;
	double		pages = index_pages_fetched(rows, rel->pages,
											path->indexinfo->pages,
											table->root);

	return path->path.pathtype == T_IndexOnlyScan ?
		pages * (1.0 - rel->allvisfrac) : pages;
}

/* Pages that a share of the scan's rows read beyond that share of all. */
static double
more_pages(const SsdparTablePrice *table, const IndexPath *path,
		   const SsdparIndexEstimate *estimate, double share)
{
	double		rows = estimate->selectivity * table->rel->tuples;
	double		apart = 1.0 - estimate->correlation * estimate->correlation;
	double		more = pages_fetched(table, path, ceil(rows * share)) -
		share * pages_fetched(table, path, rows);

	return apart * Max(more, 0.0);
}

/* The share of the scan's rows that is read to have so great a one of them. */
static double
share_read(const SsdparTablePrice *table, double share)
{
	bool		all_pass = table->rel->baserestrictinfo == NIL &&
		bms_membership(table->root->all_baserels) == BMS_SINGLETON;

	return all_pass ? share : ssdpar_late_share(share);
}

static void
price_scan(const SsdparTablePrice *table, List *seen, IndexPath *index)
{
	Path	   *path = &index->path;
	double		share = ssdpar_share_wanted(table->root, table->rel,
											path->pathkeys != NIL);
	double		read = share_read(table, share);
	const SsdparIndexEstimate *estimate = estimate_of(seen, index);
	Cost		page;
	Cost		cost;

	if (share >= 1.0 || estimate == NULL)
		return;
	page = ssdpar_index_scan_costs(table, 0).random_page;
	cost = ssdpar_cost_of_share(path->startup_cost, path->total_cost, read) +
		page * more_pages(table, index, estimate, read);
	path->startup_cost = ssdpar_startup_by_share(path->startup_cost,
												 path->total_cost, share,
												 cost);
}

/*
 * Lists of paths are in the order of their total costs, which stay.  What a run
 * of the level reads is in memory for the next.
 */
void
ssdpar_price_limited_scans(const SsdparTablePrice *table, List *seen)
{
	ListCell   *lc;

	if (table->runs > 1.0 || ssdpar_all_rows_wanted(table->root, true))
		return;
	foreach(lc, table->rel->pathlist)
	{
		Path	   *path = lfirst(lc);

		if (IsA(path, IndexPath) && path->param_info == NULL)
			price_scan(table, seen, (IndexPath *) path);
	}
}
