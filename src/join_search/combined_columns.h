/*
 * combined_columns.h
 *		Columns of one table that a query level groups by, whose combinations
 *		are worth counting, and what was found.
 */
#ifndef SSDPAR_COMBINED_COLUMNS_H
#define SSDPAR_COMBINED_COLUMNS_H

#include "nodes/pathnodes.h"

/*
 * The columns (attribute numbers) of a base relation that the level groups by;
 * NULL: less than two, or core would not count the groups by all of them.
 */
extern Bitmapset * ssdpar_combined_columns(PlannerInfo *root, Index relid);

/*
 * Measure the combinations of values of those of large tables that may be
 * asked, of which so many rows or more are expected, in so many seconds, and
 * keep what was found.  Returns how many it took.
 */
extern double ssdpar_measure_combined(PlannerInfo *root, double least_rows,
									  double budget_seconds);

#endif							/* SSDPAR_COMBINED_COLUMNS_H */
