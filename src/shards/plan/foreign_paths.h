/*
 * foreign_paths.h
 *		Has postgres_fdw plan a foreign table again, with one more condition.
 */
#ifndef SSDPAR_SHARDS_FOREIGN_PATHS_H
#define SSDPAR_SHARDS_FOREIGN_PATHS_H

#include "nodes/pathnodes.h"

/*
 * Add the conditions (Expr) to those of shard, which keep share of its rows
 * and whose keys take send_cost to send for each scan, and make its paths anew.
 * No other path may refer to the old ones but those of tables above it.
 */
extern void ssdpar_plan_shard_again(PlannerInfo *root, RelOptInfo *shard,
									List *conditions, double share,
									Cost send_cost);

/*
 * Make the paths of fact anew, and of its parts, where these are parents of any
 * of the shards, which have been planned again.  True if one was.
 */
extern bool ssdpar_append_shards_again(PlannerInfo *root, RelOptInfo *fact,
									   Relids shards);

#endif							/* SSDPAR_SHARDS_FOREIGN_PATHS_H */
