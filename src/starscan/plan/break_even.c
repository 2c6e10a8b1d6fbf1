/*
 * break_even.c
 *		Determines when the executor should abandon a bitmap.
 *
 * A bitmap plan is based on the expected number of keys.  The executor knows
 * them before it reads an index or a page of the fact, and uses these two
 * values to choose again (starscan/exec/index_choice.c).
 */
#include "postgres.h"

#include "base/settings.h"
#include "starscan/plan/break_even.h"
#include "starscan/plan/cost.h"
#include "starscan/plan/estimate.h"

/* Number of bisections in the search for the break-even. */
#define STEPS 12

/*
 * Cost of the table if the bitmap has that many pages, with as many rows per
 * page.
 */
static Cost
bitmap_cost(const SsdparStarTable *table, const SsdparCandidate *candidate,
			double pages)
{
	SsdparCandidate scaled = *candidate;
	double		factor = pages / Max(candidate->pages, 1.0);

	scaled.pages = pages;
	scaled.area = Min(scaled.area * factor, table->rel->pages);
	scaled.tests *= factor;
	scaled.rows_filtered *= factor;
	return ssdpar_table_cost(table, &scaled);
}

static Cost
sequential_cost(const SsdparStarTable *table,
				const SsdparCandidate *candidate)
{
	SsdparCandidate all = *candidate;

	all.access = SSDPAR_STAR_SEQUENTIAL;
	all.indexes = 0;
	ssdpar_count_workload(table, &all);
	return ssdpar_table_cost(table, &all);
}

void
ssdpar_break_even(const SsdparStarTable *table,
				  const SsdparCandidate *candidate, Cost *page_cost,
				  double *most_pages)
{
	double		low = Max(candidate->pages, 1.0);
	double		high = Max(table->rel->pages, low + 1.0);
	double		near_low = Min(low * 4.0, high);
	Cost		sequential;

	*page_cost = 0;
	*most_pages = 0;
	if (!table->modelled || ssdpar_star_access != SSDPAR_STAR_AUTO ||
		candidate->access != SSDPAR_STAR_BITMAP)
		return;
	*page_cost = (bitmap_cost(table, candidate, near_low) -
				  bitmap_cost(table, candidate, low)) / (near_low - low);
	sequential = sequential_cost(table, candidate);

	/* it already costs less, and the bitmap has other advantages */
	if (bitmap_cost(table, candidate, low) >= sequential ||
		bitmap_cost(table, candidate, high) <= sequential)
		return;
	for (int i = 0; i < STEPS; i++)
	{
		double		middle = (low + high) / 2;

		if (bitmap_cost(table, candidate, middle) < sequential)
			low = middle;
		else
			high = middle;
	}
	*most_pages = high;
}
