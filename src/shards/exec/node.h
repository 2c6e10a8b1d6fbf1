/*
 * node.h
 *		Executor node SsdparShardKeys.
 */
#ifndef SSDPAR_SHARDS_NODE_H
#define SSDPAR_SHARDS_NODE_H

#include "nodes/plannodes.h"

/*
 * custom_private: the reducers as the plan of a star scan
 * (starscan/star_plan.h), of which the last one's keys are wanted; and
 * integers: the type of the keys, the number that may be listed, the number of
 * foreign tables, and whether a filter may be made of longer lists.
 */
extern Node *ssdpar_create_shard_keys_state(CustomScan *plan);

#endif							/* SSDPAR_SHARDS_NODE_H */
