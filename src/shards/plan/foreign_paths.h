/*
 * foreign_paths.h
 *		Makes postgres_fdw replan a foreign table with more conditions.
 */
#ifndef SSDPAR_SHARDS_FOREIGN_PATHS_H
#define SSDPAR_SHARDS_FOREIGN_PATHS_H

#include "nodes/pathnodes.h"

#include "shards/plan/shard_tables.h"

/* Planner cost of a table's scan with keys. */
typedef struct SsdparShardCost
{
	double		share;			/* of the table's rows, that is returned */
	Cost		send;			/* for sending the keys, in each scan */
	Cost		run;			/* everything else; 0: unknown */
	Cost		here;			/* the part of run spent on this server */
} SsdparShardCost;

/*
 * Adds the conditions (Expr) to those of shard and rebuilds its paths.  Only
 * tables above it may refer to the old paths.
 */
extern void ssdpar_plan_shard_again(PlannerInfo *root,
									const SsdparShard *shard,
									List *conditions,
									const SsdparShardCost *cost);

/*
 * Rebuilds the paths of fact and of its partitions if they are parents of
 * replanned shards.
 */
extern void ssdpar_append_shards_again(PlannerInfo *root, RelOptInfo *fact,
									   const SsdparShard *shards,
									   const SsdparShardCost *costs,
									   int nshards);

#endif							/* SSDPAR_SHARDS_FOREIGN_PATHS_H */
