/*
 * keys_param.h
 *		Keys of a dimension as parameters of a query, and conditions with them.
 */
#ifndef SSDPAR_SHARDS_KEYS_PARAM_H
#define SSDPAR_SHARDS_KEYS_PARAM_H

#include "nodes/pathnodes.h"

#include "starscan/plan/candidate.h"

/* Keys of one dimension. */
typedef struct SsdparShardKeys
{
	const SsdparDimension *dimension;
	SsdparEstimate estimate;	/* its reducers and children are made */
	Oid			type;			/* of the fact's column: an integer */
	Param	   *list;			/* all keys, or NULL */
	Param	   *range;			/* the least and the greatest one, or NULL */
} SsdparShardKeys;

/* Can keys of this dimension be sent?  Fills keys but the parameters. */
extern bool ssdpar_shard_keys_of(PlannerInfo *root, RelOptInfo *fact,
								 const SsdparDimension *dimension,
								 SsdparShardKeys *keys);

/*
 * Add an InitPlan to the query level that reads the dimension and gives the
 * parameters their values, for so many foreign tables; keys that are more than
 * most as a range.
 */
extern void ssdpar_plan_shard_keys(PlannerInfo *root, RelOptInfo *fact,
								   SsdparShardKeys *keys, int nshards,
								   int most);

/*
 * That shard, fact or a part of it, has one of the keys in its column: two
 * conditions (Expr), of which one says nothing.
 */
extern List *ssdpar_shard_key_conditions(PlannerInfo *root, RelOptInfo *fact,
										 RelOptInfo *shard,
										 const SsdparShardKeys *keys);

extern void ssdpar_register_shard_keys(void);

#endif							/* SSDPAR_SHARDS_KEYS_PARAM_H */
