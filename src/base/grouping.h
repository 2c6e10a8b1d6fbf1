/*
 * grouping.h
 *		What a query level groups by, and how core is asked for the number of
 *		groups.
 *
 * Core counts the groups of several columns by the values of each.  Where more
 * is known of some columns together (rowcount/known_distinct.h), whoever
 * answers for the values of one has to know whether all are being counted.
 */
#ifndef SSDPAR_GROUPING_H
#define SSDPAR_GROUPING_H

#include "nodes/pathnodes.h"

/*
 * The SortGroupClauses by which the level makes its groups, as far as core
 * counts them together: of GROUP BY, or else of DISTINCT.  NIL: it makes none,
 * or several kinds of them (grouping sets).
 */
extern List *ssdpar_grouping_clauses(const PlannerInfo *root);

/* The groups that so many rows make by all of a level's grouping columns. */
extern double ssdpar_groups_by_all(PlannerInfo *root, List *clauses,
								   double rows);

/* And by these expressions, as core counts them where nothing was measured. */
extern double ssdpar_groups_assumed(PlannerInfo *root, List *exprs,
									double rows);
extern bool ssdpar_is_counting_assumed(void);

/* Does whoever asks for the values of one column count those of all? */
extern bool ssdpar_is_counting_groups(const PlannerInfo *root);

#endif							/* SSDPAR_GROUPING_H */
