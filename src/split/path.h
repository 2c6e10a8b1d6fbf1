/*
 * path.h
 *		The SsdparPartition scan, for the planner.
 */
#ifndef SSDPAR_SPLIT_PATH_H
#define SSDPAR_SPLIT_PATH_H

#include "nodes/extensible.h"
#include "nodes/pathnodes.h"

/* How the partitioned table is distributed to the subqueries.  */
typedef enum SsdparPartitionKind
{
	SSDPAR_PARTITION_BLOCKS,	/* the fact, by ranges of blocks */
	SSDPAR_PARTITION_ROWS,		/* a dimension, row by row */
} SsdparPartitionKind;

/*
 * Contents of custom_private of an SsdparPartition plan: a list of Integer
 * nodes in this order.
 */
typedef enum SsdparPartitionPrivate
{
	SSDPAR_PRIVATE_KIND,
	SSDPAR_PRIVATE_SUBQUERIES,
} SsdparPartitionPrivate;

/*
 * Adds a partial path to rel, a plain table, that distributes it to the given
 * number of subqueries, run by that many workers (and the leader, if there is
 * one more subquery).  Its cost is that of core's parallel sequential scan;
 * the caller may correct it.
 */
extern Path *ssdpar_add_partition_path(PlannerInfo *root, RelOptInfo *rel,
									   SsdparPartitionKind kind,
									   int subqueries, int workers);

/* Can rel's access method distribute its rows in this way?  */
extern bool ssdpar_can_partition(RelOptInfo *rel, SsdparPartitionKind kind);

extern void ssdpar_register_partition_scan(void);

extern Node *ssdpar_create_partition_state(CustomScan *plan);

#endif							/* SSDPAR_SPLIT_PATH_H */
