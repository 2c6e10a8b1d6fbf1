/*
 * page_estimate.c
 *		How many pages hold some rows.
 */
#include "postgres.h"

#include <math.h>

#include "starscan/page_estimate.h"

/*
 * pages * (1 - (1 - 1/pages)^n), Cardenas' formula, in a form that keeps its
 * digits where pages are many.  Core's Mackert-Lohman formula
 * (index_pages_fetched()) counts pages read again too, which is nothing that
 * a scan in block order does.
 */
double
ssdpar_pages_hit(double pages, double n)
{
	double		hit;

	if (pages <= 1)
		return 1;
	hit = ceil(pages * (1.0 - exp(n * log1p(-1.0 / pages))));
	return Min(pages, hit);
}

/* Side by side lie the share of rows, and a page begun a key. */
double
ssdpar_area_share(double ordered, double selectivity, double keys,
				  double pages)
{
	double		side_by_side = selectivity + keys / Max(pages, 1);

	return ordered * Min(side_by_side, 1.0) + (1.0 - ordered);
}

/* One leaf a key, as far as they share none, and those with its rows. */
double
ssdpar_leaves_hit(double pages, double keys, double selectivity)
{
	double		leaves = ssdpar_pages_hit(pages, keys) + pages * selectivity;

	return Min(pages, leaves);
}
