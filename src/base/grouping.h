/*
 * grouping.h
 *		Finds what a query level groups by, and asks core for numbers of
 *		groups.
 *
 * Core estimates the groups of several columns from the distinct values of
 * each. If more is known of some columns together (rowcount/known_distinct.h),
 * the code that provides the distinct values of one column has to know whether
 * all columns are being counted.
 */
#ifndef SSDPAR_GROUPING_H
#define SSDPAR_GROUPING_H

#include "nodes/pathnodes.h"

/*
 * The level's SortGroupClauses that core estimates together: those of GROUP
 * BY, or else of DISTINCT.  NIL if there are none, or if there are grouping
 * sets.
 */
extern List *ssdpar_grouping_clauses(const PlannerInfo *root);

/* Number of groups by all grouping columns of a level. */
extern double ssdpar_groups_by_all(PlannerInfo *root, List *clauses,
								   double rows);

/* Number of groups by these expressions, without any measured number. */
extern double ssdpar_groups_assumed(PlannerInfo *root, List *exprs,
									double rows);
extern bool ssdpar_is_counting_assumed(void);

/* Is the number of distinct values requested for all grouping columns? */
extern bool ssdpar_is_counting_groups(const PlannerInfo *root);

#endif							/* SSDPAR_GROUPING_H */
