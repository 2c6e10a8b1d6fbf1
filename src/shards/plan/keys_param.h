/*
 * keys_param.h
 *		Keys of a dimension as parameters of a query, and conditions with them.
 */
#ifndef SSDPAR_SHARDS_KEYS_PARAM_H
#define SSDPAR_SHARDS_KEYS_PARAM_H

#include "nodes/pathnodes.h"

#include "shards/plan/shard_tables.h"
#include "starscan/plan/candidate.h"

/* Keys of one dimension. */
typedef struct SsdparShardKeys
{
	const SsdparDimension *dimension;
	SsdparEstimate estimate;	/* its reducers and children are made */
	Oid			type;			/* of the fact's column: an integer */
	double		range_share;	/* of rows between the least and the greatest */
	bool		filtered;		/* a filter may be made */
	Param	   *list;			/* all keys, or NULL */
	Param	   *range;			/* the least and the greatest one, or NULL */
	Param	   *filter;			/* a key filter, or NULL; not set: none is
								 * made */
} SsdparShardKeys;

/*
 * Can keys of this dimension be sent?  Fills in keys, but for what is decided
 * of them and the parameters.
 */
extern bool ssdpar_shard_keys_of(PlannerInfo *root, RelOptInfo *fact,
								 const SsdparDimension *dimension,
								 SsdparShardKeys *keys);

/*
 * Add an InitPlan to the query level that reads the dimension and gives the
 * parameters their values, for so many foreign tables; keys that are more than
 * most as a range, and as a filter if that may be.
 */
extern void ssdpar_plan_shard_keys(PlannerInfo *root, RelOptInfo *fact,
								   SsdparShardKeys *keys, int nshards,
								   int most);

/*
 * That shard, fact or a part of it, has one of the keys in its column:
 * conditions (Expr), of which some say nothing.
 */
extern List *ssdpar_shard_key_conditions(PlannerInfo *root, RelOptInfo *fact,
										 const SsdparShard *shard,
										 const SsdparShardKeys *keys);

extern void ssdpar_register_shard_keys(void);

#endif							/* SSDPAR_SHARDS_KEYS_PARAM_H */
