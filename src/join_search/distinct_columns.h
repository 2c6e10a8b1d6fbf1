/*
 * distinct_columns.h
 *		Columns whose distinct values are worth measuring, and what was found.
 */
#ifndef SSDPAR_DISTINCT_COLUMNS_H
#define SSDPAR_DISTINCT_COLUMNS_H

#include "nodes/pathnodes.h"

/*
 * What core takes for the number of values; 0: it knows none, or one that is
 * sure.
 */
extern double ssdpar_assumed_distinct(PlannerInfo *root, Var *var);

/* The large table that may be asked whose column this is, or NULL. */
extern RelOptInfo *ssdpar_large_table_of(PlannerInfo *root, const Var *var);

/* Of so many values: may the sample of ANALYZE have missed some? */
extern bool ssdpar_has_few_rows_of_value(const RelOptInfo *rel,
										 double distinct);

/* Is a measured number, with that error, one to plan with? */
extern bool ssdpar_distinct_matters(double distinct, double error,
									double assumed);

/*
 * Add to a List of SsdparDistinctColumn what expr is, if it is a column of a
 * large table that may be asked, of which so many rows or more are expected,
 * whose number of distinct values core is not sure of, and that was not
 * measured yet.  equal tells its values apart.
 */
extern List *ssdpar_add_distinct_column(PlannerInfo *root, List *columns,
										Node *expr, Oid equal,
										double least_rows);

/*
 * Measure these, in so many seconds, and keep what was found.  Returns how many
 * it took, 0 if nothing could be asked.
 */
extern double ssdpar_measure_columns(PlannerInfo *root, List *columns,
									 double budget_seconds);

/*
 * Keep those of these that joins have told of and that core is not sure of.
 * True if any is to be planned with.
 */
extern bool ssdpar_keep_distinct(PlannerInfo *root, List *columns);

#endif							/* SSDPAR_DISTINCT_COLUMNS_H */
