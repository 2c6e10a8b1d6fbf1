/*
 * plain_table.h
 *		Which relations of a query are plain tables.
 */
#ifndef SSDPAR_PLAIN_TABLE_H
#define SSDPAR_PLAIN_TABLE_H

#include "nodes/pathnodes.h"

/*
 * Is rel, a base relation or a partition, read from one file of rows of its
 * own, all of them?  That is a table or materialized view that users made, not
 * a parent of others, not foreign and not sampled.
 */
extern bool ssdpar_is_plain_table(PlannerInfo *root, const RelOptInfo *rel);

/*
 * Is rel, a plain table, a heap?  Other access methods may have row addresses
 * that are no places on pages, and no parallel scans: Citus's columnar tables.
 */
extern bool ssdpar_is_heap(PlannerInfo *root, const RelOptInfo *rel);

#endif							/* SSDPAR_PLAIN_TABLE_H */
