/*
 * page_estimate.c
 *		How many pages hold some rows.
 */
#include "postgres.h"

#include <float.h>
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

/*
 * Of n places that are spread evenly pages * (1 - exp(-n / pages)) pages have
 * one; here the pages are known, rows / seen, and n is wanted.
 */
double
ssdpar_rows_together(double seen, double rows, double pages)
{
	double		hit = rows / Max(seen, 1.0);

	if (rows <= 0 || hit >= pages)
		return 1;
	return Max(rows / (-pages * log1p(-hit / pages)), 1);
}

/* A place is left if one of its rows is, each by its own chance. */
double
ssdpar_places_left(double rows, double left, double together)
{
	double		all = Max(rows, left);
	double		kept = all > 0 ? left / all : 1.0;

	return all / together * (1.0 - pow(1.0 - kept, together));
}

/* Side by side lie the share of rows, and a page begun a key. */
double
ssdpar_area_share(double ordered, double selectivity, double keys,
				  double pages)
{
	double		side_by_side = selectivity + keys / Max(pages, 1);

	return ordered * Min(side_by_side, 1.0) + (1.0 - ordered);
}

/*
 * Pages drawn at random from an area fall into runs of area / (area - pages +
 * 1).  What lies side by side is no longer than a key's rows, which may be far
 * from the next one's: an area is as large as it takes for no longer runs.
 */
double
ssdpar_area_of_runs(double area, double pages, double longest)
{
	if (longest <= 1.0)
		return DBL_MAX;
	return Max(area, longest / (longest - 1.0) * (pages - 1.0));
}

/* One leaf a key, as far as they share none, and those with its rows. */
double
ssdpar_leaves_hit(double pages, double keys, double selectivity)
{
	double		leaves = ssdpar_pages_hit(pages, keys) + pages * selectivity;

	return Min(pages, leaves);
}
