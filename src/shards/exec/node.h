/*
 * node.h
 *		The executor's node SsdparShardKeys.
 */
#ifndef SSDPAR_SHARDS_NODE_H
#define SSDPAR_SHARDS_NODE_H

#include "nodes/plannodes.h"

/*
 * custom_private: the plan of a star scan's reducers (starscan/star_plan.h), of
 * which the last one's keys are wanted, and integers: the type of the keys, how
 * many may be listed, how many foreign tables they go to, whether a filter of
 * more than that may be made.
 */
extern Node *ssdpar_create_shard_keys_state(CustomScan *plan);

#endif							/* SSDPAR_SHARDS_NODE_H */
