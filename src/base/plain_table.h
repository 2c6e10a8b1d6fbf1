/*
 * plain_table.h
 *		Tests which relations of a query are plain tables.
 */
#ifndef SSDPAR_PLAIN_TABLE_H
#define SSDPAR_PLAIN_TABLE_H

#include "nodes/pathnodes.h"

/*
 * Is rel, a base relation or a partition, a user's table or materialized view
 * whose rows are all in one file?  Not if it is a parent, foreign or sampled.
 */
extern bool ssdpar_is_plain_table(PlannerInfo *root, const RelOptInfo *rel);

/*
 * Is rel, a plain table, a heap?  In other access methods, such as Citus's
 * columnar tables, row addresses may not be positions on pages, and there may
 * be no parallel scans.
 */
extern bool ssdpar_is_heap(PlannerInfo *root, const RelOptInfo *rel);

#endif							/* SSDPAR_PLAIN_TABLE_H */
