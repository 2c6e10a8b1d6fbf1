/*
 * limited_scans.c
 *		Prices index scans that a LIMIT ends early.
 *
 * If the order of a table differs from that of the index, the first rows of an
 * index scan are on separate pages, while the last ones are on pages that are
 * already in memory.  For example, a tenth of the rows of a table with ten
 * rows per page reads two thirds of its pages, but core charges a tenth of
 * their price (part_cost.h).
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

/* Table pages read for this number of unordered rows. */
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

/*
 * Pages that a share of the scan's rows reads in excess of that share of all
 * pages.
 */
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

/*
 * The share of the scan's rows that is read until this share of them is
 * returned.
 */
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
 * Lists of paths are sorted by total cost, which does not change.  If the
 * level runs several times, pages read by one run are in memory for the next.
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
