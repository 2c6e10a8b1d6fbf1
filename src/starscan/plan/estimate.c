/*
 * estimate.c
 *		Estimates how much a star scan reads and computes: index pages,
 *		TIDs, pages of the fact, rows, and tested keys.
 *
 * The contribution of a dimension is independent of the others, except for how
 * many rows these have left.  So it is estimated once, and a
 * candidate's workload is composed of the estimates of its dimensions.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "optimizer/optimizer.h"

#include "btree/btree_together.h"
#include "cost/column_order.h"
#include "cost/index_look.h"
#include "keys/key_code.h"
#include "starscan/page_estimate.h"
#include "starscan/plan/cost.h"
#include "starscan/plan/estimate.h"
#include "starscan/plan/key_index.h"
#include "starscan/plan/overlap.h"
#include "starscan/plan/reducers.h"

/*
 * Keys with a larger fraction of the rows are found on most pages of the
 * table, wherever their rows are, so looking at the index could not change
 * anything.
 */
#define MOST_SELECTIVITY 0.1

/*
 * How many rows of a key are located together on a page.  For example, lines
 * of the same order have the same date.  As far as the table is ordered by the
 * column, the area already accounts for this, without a look at the index.
 */
static double
rows_together(const SsdparStarTable *table, const SsdparEstimate *estimate)
{
	const SsdparReducer *reducer =
		&estimate->reducers[estimate->nreducers - 1];
	IndexOptInfo *index = estimate->index;
	double		rows = index->tuples * reducer->selectivity;
	double		pages = Max(table->rel->pages, 1);
	double		together;

	if (reducer->selectivity > MOST_SELECTIVITY ||
		!ssdpar_is_worth_a_look(table, ssdpar_pages_hit(pages, rows)))
		return 1.0;
	together = ssdpar_index_look(table->root, index,
								 ssdpar_index_rows_together, 1.0);
	together = ssdpar_rows_together(together,
									rows / Max(reducer->keys, 1.0), pages);
	return 1.0 + (together - 1.0) * (1.0 - estimate->ordered);
}

/*
 * The pages of one key and one partial page, if the table is in the order of
 * the key.  The less ordered it is, the longer is the run, because rows of
 * other keys are in between.
 */
static double
longest_run(const SsdparStarTable *table, const SsdparEstimate *estimate)
{
	const SsdparReducer *reducer =
		&estimate->reducers[estimate->nreducers - 1];
	double		pages = 1.0 + table->rel->pages * reducer->selectivity /
		Max(reducer->keys, 1.0);

	return estimate->ordered > 0.0 ? pages / estimate->ordered : DBL_MAX;
}

/*
 * Estimates what reading the index finds, and on how many pages; to what
 * degree the table is ordered is known.
 */
static void
count_index(const SsdparStarTable *table, SsdparEstimate *estimate)
{
	const SsdparReducer *reducer =
		&estimate->reducers[estimate->nreducers - 1];
	IndexOptInfo *index = estimate->index;

	estimate->leaves = ssdpar_leaves_hit(Max(index->pages, 1), reducer->keys,
										 reducer->selectivity);
	estimate->tids = index->tuples * reducer->selectivity;
	estimate->area_share = ssdpar_area_share(estimate->ordered,
											 reducer->selectivity,
											 reducer->keys, table->rel->pages);
	estimate->longest_run = longest_run(table, estimate);
}

bool
ssdpar_estimate_together(const SsdparStarTable *table,
						 SsdparEstimate *estimates)
{
	bool		found = false;

	for (int i = 0; i < table->ndimensions; i++)
	{
		SsdparEstimate *estimate = &estimates[i];

		if (estimate->index != NULL)
			estimate->together = rows_together(table, estimate);
		found |= estimate->index != NULL && estimate->together > 1.0;
	}
	return found;
}

/* Number of table scans below a path of a dimension. */
static int
count_scans(const Path *path)
{
	int			scans = 0;
	ListCell   *lc;

	if (IsA(path, ProjectionPath))
		return count_scans(((const ProjectionPath *) path)->subpath);
	if (!IsA(path, AppendPath))
		return 1;
	foreach(lc, ((const AppendPath *) path)->subpaths)
		scans += count_scans(lfirst(lc));
	return scans;
}

/* Creates the estimate's children, and estimates the cost of reading them. */
static bool
estimate_children(const SsdparStarTable *table, bool parallel_safe,
				  SsdparEstimate *estimate)
{
	ListCell   *lc;

	if (!ssdpar_make_reducers(table, parallel_safe, estimate))
		return false;
	estimate->children_cost = 0;
	estimate->children_cpu = 0;
	estimate->key_rows = 0;
	estimate->more_scans = 0;
	foreach(lc, estimate->children)
	{
		Path	   *child = lfirst(lc);

		estimate->children_cost += child->total_cost;
		estimate->children_cpu += ssdpar_child_computing(child);
		estimate->key_rows += child->rows;
		estimate->more_scans += count_scans(child) - 1;
	}
	return true;
}

bool
ssdpar_estimate_dimension(const SsdparStarTable *table,
						  const SsdparDimension *dimension,
						  SsdparEstimate *estimate)
{
	const SsdparReducer *reducer;
	AttrNumber	column;

	memset(estimate, 0, sizeof(*estimate));
	estimate->dimension = dimension;
	if (!estimate_children(table, false, estimate))
		return false;
	reducer = &estimate->reducers[estimate->nreducers - 1];
	estimate->tested_first = ssdpar_key_code_is_exact(&reducer->key);
	estimate->index = ssdpar_find_key_index(table->rel, reducer,
											&estimate->index_column);
	if (estimate->index == NULL)
		return true;
	column = reducer->key.target_columns[estimate->index_column];
	estimate->ordered = ssdpar_column_order(table->oid, column);
	estimate->together = 1.0;
	count_index(table, estimate);
	return true;
}

void
ssdpar_estimate_part(const SsdparStarTable *table, IndexOptInfo *index,
					 SsdparEstimate *estimate)
{
	estimate->children_cost = 0;
	estimate->children_cpu = 0;
	estimate->key_rows = 0;
	estimate->more_scans = 0;
	estimate->index = index;
	if (index == NULL)
		return;
	count_index(table, estimate);
	estimate->index_cost = ssdpar_key_index_cost(table, estimate);
}

/*
 * The cheapest children for workers are those that can run in workers.  The
 * rest of a dimension's estimate does not depend on its children.
 */
bool
ssdpar_estimate_for_workers(const SsdparStarTable *table,
							SsdparEstimate *estimate)
{
	ListCell   *lc;

	foreach(lc, estimate->children)
	{
		if (!((Path *) lfirst(lc))->parallel_safe)
			return estimate_children(table, true, estimate);
	}
	return true;
}

/*
 * Fraction of the table's rows that these dimensions together keep.  Assumes
 * that they are independent, as core does.
 */
static double
kept_share(const SsdparStarTable *table, const SsdparEstimate *estimates,
		   SsdparDimensionSet dimensions)
{
	double		kept = 1.0;

	for (int i = 0; i < table->ndimensions; i++)
	{
		if ((dimensions & SSDPAR_DIMENSION_BIT(i)) != 0)
			kept *= estimates[i].dimension->selectivity;
	}
	return kept;
}

/*
 * Tests the rows left by the dimensions in *passed with the next ones in turn,
 * and adds these to it; unfiltered is the number of rows before any dimension.
 * Those whose index is read test none, because the bitmap has dropped the rows
 * already.  Returns the number of remaining rows.
 */
static double
test_rows(const SsdparStarTable *table, bool first, double unfiltered,
		  double rows, SsdparDimensionSet *passed, SsdparCandidate *candidate)
{
	SsdparDimensionSet tested = candidate->dimensions & ~candidate->indexes;

	for (int i = 0; i < table->ndimensions; i++)
	{
		const SsdparEstimate *estimate = &candidate->estimates[i];
		double		kept;

		if ((tested & SSDPAR_DIMENSION_BIT(i)) == 0 ||
			estimate->tested_first != first)
			continue;
		candidate->tests += rows;
		*passed |= SSDPAR_DIMENSION_BIT(i);
		kept = unfiltered * kept_share(table, candidate->estimates, *passed);
		rows = Min(rows, kept);
	}
	return rows;
}

/*
 * Counts tests of exact keys on the page, then of the qual, then of other
 * keys.
 */
static void
count_tests(const SsdparStarTable *table, SsdparCandidate *candidate)
{
	RelOptInfo *rel = table->rel;
	SsdparDimensionSet passed = candidate->indexes;
	double		filter = rel->tuples > 0 ?
		Min(rel->rows / rel->tuples, 1.0) : 1.0;

	candidate->tests = 0;
	candidate->rows_filtered = test_rows(table, true, rel->tuples,
										 candidate->rows_read, &passed,
										 candidate);
	candidate->rows_late =
		test_rows(table, false, rel->tuples * filter,
				  candidate->rows_filtered * filter, &passed, candidate);
	candidate->rows_late = Min(candidate->rows_late / table->late_kept,
							   candidate->rows_filtered);
}

double
ssdpar_kept_of_filtered(const SsdparStarTable *table,
						const SsdparCandidate *candidate)
{
	SsdparDimensionSet joined = candidate->dimensions;

	for (int i = 0; i < table->ndimensions; i++)
	{
		if ((joined & SSDPAR_DIMENSION_BIT(i)) != 0 &&
			candidate->estimates[i].dimension->in_filter)
			joined &= ~SSDPAR_DIMENSION_BIT(i);
	}
	return kept_share(table, candidate->estimates, joined);
}

/*
 * Number of places with rows that a bitmap leaves: at most the places of each
 * of its indexes, some of which the other indexes drop.
 */
static double
places_left(const SsdparStarTable *table, const SsdparCandidate *candidate)
{
	double		places = candidate->rows_read;

	for (int i = 0; i < table->ndimensions; i++)
	{
		const SsdparEstimate *estimate = &candidate->estimates[i];

		if ((candidate->indexes & SSDPAR_DIMENSION_BIT(i)) != 0)
			places = Min(places,
						 ssdpar_places_left(estimate->tids,
											candidate->rows_read,
											estimate->together));
	}
	return places;
}

void
ssdpar_count_workload(const SsdparStarTable *table,
					  SsdparCandidate *candidate)
{
	RelOptInfo *rel = table->rel;
	double		area = Max(rel->pages, 1);

	candidate->key_rows = 0;
	candidate->children_cost = 0;
	candidate->children_cpu = 0;
	candidate->more_scans = 0;
	candidate->index_cost = 0;
	candidate->pages = candidate->area = rel->pages;
	candidate->ordered = 0;
	candidate->longest_run = DBL_MAX;
	for (int i = 0; i < table->ndimensions; i++)
	{
		const SsdparEstimate *estimate = &candidate->estimates[i];

		if ((candidate->dimensions & SSDPAR_DIMENSION_BIT(i)) == 0)
			continue;
		candidate->children_cost += estimate->children_cost;
		candidate->children_cpu += estimate->children_cpu;
		candidate->key_rows += estimate->key_rows;
		candidate->more_scans += estimate->more_scans;
		if ((candidate->indexes & SSDPAR_DIMENSION_BIT(i)) == 0)
			continue;
		candidate->index_cost += estimate->index_cost;
		area *= estimate->area_share;
		candidate->ordered = Max(candidate->ordered, estimate->ordered);
		candidate->longest_run = Min(candidate->longest_run,
									 estimate->longest_run);
	}
	candidate->kept = kept_share(table, candidate->estimates,
								 candidate->dimensions);
	candidate->rows = clamp_row_est(rel->rows *
									ssdpar_kept_of_filtered(table,
															candidate));
	candidate->rows_read = rel->tuples *
		kept_share(table, candidate->estimates, candidate->indexes);
	if (candidate->access == SSDPAR_STAR_BITMAP)
	{
		candidate->area = Max(ceil(area), 1);
		candidate->pages = ssdpar_pages_hit(candidate->area,
											places_left(table, candidate));
	}
	count_tests(table, candidate);
}
