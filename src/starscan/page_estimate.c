/*
 * page_estimate.c
 *		Estimates the number of pages that contain some rows.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "starscan/page_estimate.h"

/*
 * pages * (1 - (1 - 1/pages)^n), Cardenas' formula, in a form that preserves
 * precision for many pages.  Core's Mackert-Lohman formula
 * (index_pages_fetched()) includes pages that are read repeatedly, which does
 * not happen in a scan in block order.
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

/*
 * If n places are spread evenly, pages * (1 - exp(-n / pages)) pages contain
 * one.  Here the number of pages is known, rows / seen, and n is computed.
 */
double
ssdpar_rows_together(double seen, double rows, double pages)
{
	double		hit = rows / Max(seen, 1.0);

	if (rows <= 0 || hit >= pages)
		return 1;
	return Max(rows / (-pages * log1p(-hit / pages)), 1);
}

/*
 * A place remains if one of its rows does, each with an independent
 * probability.
 */
double
ssdpar_places_left(double rows, double left, double together)
{
	double		all = Max(rows, left);
	double		kept = all > 0 ? left / all : 1.0;

	return all / together * (1.0 - pow(1.0 - kept, together));
}

/*
 * The fraction of adjacent pages is that of the rows, plus one partial page
 * per key.
 */
double
ssdpar_area_share(double ordered, double selectivity, double keys,
				  double pages)
{
	double		side_by_side = selectivity + keys / Max(pages, 1);

	return ordered * Min(side_by_side, 1.0) + (1.0 - ordered);
}

/*
 * Pages drawn at random from an area form runs of area / (area - pages + 1).
 * A run of adjacent pages is at most as long as the rows of one key, which may
 * be far from those of the next key.  So the area must be large enough that
 * runs are not longer.
 */
double
ssdpar_area_of_runs(double area, double pages, double longest)
{
	if (longest <= 1.0)
		return DBL_MAX;
	return Max(area, longest / (longest - 1.0) * (pages - 1.0));
}

/*
 * One leaf per key if keys do not share leaves, and the leaves of their rows.
 */
double
ssdpar_leaves_hit(double pages, double keys, double selectivity)
{
	double		leaves = ssdpar_pages_hit(pages, keys) + pages * selectivity;

	return Min(pages, leaves);
}
