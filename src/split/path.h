/*
 * path.h
 *		The SsdparPartition scan as the planner sees it.
 */
#ifndef SSDPAR_SPLIT_PATH_H
#define SSDPAR_SPLIT_PATH_H

#include "nodes/extensible.h"
#include "nodes/pathnodes.h"

/* How the partitioned table is handed out to the subqueries. */
typedef enum SsdparPartitionKind
{
	SSDPAR_PARTITION_BLOCKS,	/* the fact, by ranges of blocks */
	SSDPAR_PARTITION_ROWS,		/* a dimension, row by row */
} SsdparPartitionKind;

/*
 * What custom_private of an SsdparPartition plan holds, as a list of Integer
 * nodes in this order.
 */
typedef enum SsdparPartitionPrivate
{
	SSDPAR_PRIVATE_KIND,
	SSDPAR_PRIVATE_SUBQUERIES,
} SsdparPartitionPrivate;

/*
 * Add to rel, a plain table, the partial path that hands it out to the given
 * number of subqueries, run by that many workers (and the leader, if the
 * subqueries are one more).  It costs what core's parallel sequential scan
 * does; the caller may know better.
 */
extern Path *ssdpar_add_partition_path(PlannerInfo *root, RelOptInfo *rel,
									   SsdparPartitionKind kind,
									   int subqueries, int workers);

/* Can rel's access method hand out its rows that way? */
extern bool ssdpar_can_partition(RelOptInfo *rel, SsdparPartitionKind kind);

extern void ssdpar_register_partition_scan(void);

extern Node *ssdpar_create_partition_state(CustomScan *plan);

/* Is the node an SsdparPartition of a fact, which it scans block by block? */
extern bool ssdpar_is_block_partition(const PlanState *node);

#endif							/* SSDPAR_SPLIT_PATH_H */
