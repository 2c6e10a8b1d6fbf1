/*
 * column_order.h
 *		Determines how well the order of a table's rows follows a column.
 */
#ifndef SSDPAR_COLUMN_ORDER_H
#define SSDPAR_COLUMN_ORDER_H

#include "access/attnum.h"
#include "nodes/pathnodes.h"

/*
 * 0 (not at all) to 1 (exactly): the square of the correlation in the
 * statistics, which cost_index() uses too.  0 without statistics.
 */
extern double ssdpar_column_order(Oid table, AttrNumber column);

/* The same for an expression; 0 unless it is a column of a table. */
extern double ssdpar_expression_order(PlannerInfo *root, const Node *expr);

/* Is it this column of the same table, scanned as another relation? */
extern bool ssdpar_is_column_of_twin(PlannerInfo *root, const Node *expr,
									 const RelOptInfo *rel,
									 AttrNumber column);

#endif							/* SSDPAR_COLUMN_ORDER_H */
