/*
 * pages_again.c
 *		Prices repeated visits to pages of a table through an index.
 *
 * Unordered rows each visit their page.  Core assumes that a page read before
 * is free (Mackert and Lohman), but it has to be found in shared buffers, or
 * copied from the page cache if the table does not fit into shared buffers.  A
 * bitmap scan visits each page only once.
 *
 * A query level that is executed several times revisits the pages of earlier
 * runs.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"

#include "cost/pages_again.h"

/*
 * One of several runs reads this share, on average, of the table pages that a
 * single index scan would read for this number of unordered rows.
 */
static double
share_of_pages(PlannerInfo *root, const IndexOptInfo *index, double rows,
			   double runs)
{
	BlockNumber pages = index->rel->pages;

	return index_pages_fetched(rows * runs, pages, index->pages, root) /
		(runs * index_pages_fetched(rows, pages, index->pages, root));
}

void
ssdpar_share_table_pages(PlannerInfo *root, const SsdparCoreCosts *costs,
						 const IndexPath *path, double loop_count,
						 const SsdparIndexEstimate *estimate,
						 double *random_page, double *sequential_page)
{
	const IndexOptInfo *index = path->indexinfo;
	double		rows = clamp_row_est(estimate->selectivity *
									 index->rel->tuples);
	double		ordered = clamp_row_est(estimate->selectivity *
										index->rel->pages);
	Cost		all;

	*random_page = costs->random_page *
		share_of_pages(root, index, rows * loop_count, costs->runs);
	if (ordered <= 1.0)
		return;
	all = costs->random_page + (ordered - 1.0) * costs->sequential_page;
	*sequential_page =
		Max(all * share_of_pages(root, index, ordered, costs->runs) -
			*random_page, 0.0) / (ordered - 1.0);
}

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
