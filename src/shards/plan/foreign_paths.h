/*
 * foreign_paths.h
 *		Has postgres_fdw plan a foreign table again, with one more condition.
 */
#ifndef SSDPAR_SHARDS_FOREIGN_PATHS_H
#define SSDPAR_SHARDS_FOREIGN_PATHS_H

#include "nodes/pathnodes.h"

#include "shards/plan/shard_tables.h"

/* Of a table's scan with keys, in planner cost. */
typedef struct SsdparShardCost
{
	double		share;			/* of the table's rows that come */
	Cost		send;			/* of the keys, for each scan */
	Cost		run;			/* all else; 0: it is not known */
	Cost		here;			/* of that, this server's */
} SsdparShardCost;

/*
 * Add the conditions (Expr) to those of shard, and make its paths anew.  No
 * other path may refer to the old ones but those of tables above it.
 */
extern void ssdpar_plan_shard_again(PlannerInfo *root,
									const SsdparShard *shard,
									List *conditions,
									const SsdparShardCost *cost);

/*
 * Make the paths of fact anew, and of its parts, where these are parents of any
 * of the shards, which have been planned again.
 */
extern void ssdpar_append_shards_again(PlannerInfo *root, RelOptInfo *fact,
									   const SsdparShard *shards,
									   const SsdparShardCost *costs,
									   int nshards);

#endif							/* SSDPAR_SHARDS_FOREIGN_PATHS_H */
