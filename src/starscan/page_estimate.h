/*
 * page_estimate.h
 *		How many pages hold some rows: what the planner expects of a bitmap,
 *		and what the executor corrects once it has the keys.
 *
 * Rows are taken to be spread evenly over the fact, some of a key together as
 * its index has them, but for those of an index that the statistics say the
 * table is ordered by: each of its keys has its rows side by side.
 */
#ifndef SSDPAR_PAGE_ESTIMATE_H
#define SSDPAR_PAGE_ESTIMATE_H

/* Of this many pages those that hold one of n things, spread evenly. */
extern double ssdpar_pages_hit(double pages, double n);

/*
 * Share of a table's pages that the rows of these keys may lie in: keeping
 * selectivity of the rows, ordered from 0, not at all, to 1, exactly.
 */
extern double ssdpar_area_share(double ordered, double selectivity,
								double keys, double pages);

/*
 * Pages of which so many, drawn at random, fall into the runs that these pages
 * of an area do, but into none that are longer on average.  Not bounded by the
 * table's.
 */
extern double ssdpar_area_of_runs(double area, double pages, double longest);

/*
 * How many of a key's rows lie together, if a page that has any of them has
 * seen on average, where that is more than comes of chance: a key has rows, the
 * table pages.  1: each by itself.
 */
extern double ssdpar_rows_together(double seen, double rows, double pages);

/* Places with so many rows together that are left, where left of rows are. */
extern double ssdpar_places_left(double rows, double left, double together);

/* Leaves of an index, of this many pages, that hold the rows of these keys. */
extern double ssdpar_leaves_hit(double pages, double keys,
								double selectivity);

#endif							/* SSDPAR_PAGE_ESTIMATE_H */
