/*
 * pages_again.c
 *		The price of coming back to pages of a table by an index.
 *
 * Rows that are not in the order of the index each ask for their page; core
 * takes a page that has been read before for free (Mackert and Lohman), but it
 * has to be found in shared buffers, or copied from the page cache if the table
 * does not fit there.  A bitmap scan asks once for each page.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"

#include "cost/pages_again.h"

Cost
ssdpar_pages_again_cost(PlannerInfo *root, const SsdparCoreCosts *costs,
						const IndexPath *path, double loop_count, bool bitmap,
						const SsdparIndexEstimate *estimate)
{
	RelOptInfo *rel = path->indexinfo->rel;
	double		rows = clamp_row_est(estimate->selectivity * rel->tuples);
	double		fetched = index_pages_fetched(rows * loop_count, rel->pages,
											  path->indexinfo->pages, root) /
		loop_count;
	double		again;

	if (bitmap)
		rows = Min(rows, rel->pages);
	again = Max(rows - fetched, 0.0) *
		(1.0 - estimate->correlation * estimate->correlation);
	if (path->path.pathtype == T_IndexOnlyScan)
		again *= 1.0 - rel->allvisfrac;
	return again * costs->page_again;
}
