/*
 * page_estimate.h
 *		Estimates the number of pages that contain some rows: what the
 *		planner expects of a bitmap, and what the executor corrects once it
 *		has the keys.
 *
 * Rows are assumed to be spread evenly over the fact, with some rows of a key
 * together as found in its index.  The exception is an index by which the
 * table is ordered according to the statistics: the rows of each of its keys
 * are adjacent.
 */
#ifndef SSDPAR_PAGE_ESTIMATE_H
#define SSDPAR_PAGE_ESTIMATE_H

/* Number of these pages that contain one of n items, spread evenly. */
extern double ssdpar_pages_hit(double pages, double n);

/*
 * Fraction of a table's pages that may contain the rows of these keys.
 * selectivity is the fraction of rows kept; ordered ranges from 0 (not
 * ordered) to 1 (exactly).
 */
extern double ssdpar_area_share(double ordered, double selectivity,
								double keys, double pages);

/*
 * Size of an area such that this number of pages, drawn from it at random,
 * forms the same runs as in the given area, but not longer ones than longest
 * on average.  Not limited by the table's size.
 */
extern double ssdpar_area_of_runs(double area, double pages, double longest);

/*
 * How many rows of a key are located together, if a page that contains any of
 * them has "seen" on average and that is more than chance explains.  rows is
 * the number of the key's rows, pages that of the table's pages.  1 means
 * separately.
 */
extern double ssdpar_rows_together(double seen, double rows, double pages);

/*
 * Number of places, each with together rows, that remain if left rows remain.
 */
extern double ssdpar_places_left(double rows, double left, double together);

/*
 * Number of leaves, of this many in an index, that contain the rows of these
 * keys.
 */
extern double ssdpar_leaves_hit(double pages, double keys,
								double selectivity);

#endif							/* SSDPAR_PAGE_ESTIMATE_H */
