/*
 * keys_param.h
 *		Passes the keys of a dimension as parameters, and builds conditions on
 *		them.
 */
#ifndef SSDPAR_SHARDS_KEYS_PARAM_H
#define SSDPAR_SHARDS_KEYS_PARAM_H

#include "nodes/pathnodes.h"

#include "shards/plan/shard_tables.h"
#include "starscan/plan/candidate.h"

/* The keys of one dimension. */
typedef struct SsdparShardKeys
{
	const SsdparDimension *dimension;
	SsdparEstimate estimate;	/* with its reducers and children */
	Oid			type;			/* of the fact's column: an integer type */
	double		range_share;	/* share of rows in the range of the keys */
	bool		filtered;		/* may a filter be made? */
	Param	   *list;			/* all keys, or NULL */
	Param	   *range;			/* the least and the greatest key, or NULL */
	Param	   *filter;			/* a key filter, or NULL; no Param if none is
								 * made */
} SsdparShardKeys;

/*
 * Can the keys of this dimension be sent?  Fills in keys, except for
 * range_share, filtered and the parameters.
 */
extern bool ssdpar_shard_keys_of(PlannerInfo *root, RelOptInfo *fact,
								 const SsdparDimension *dimension,
								 SsdparShardKeys *keys);

/*
 * Adds an InitPlan to the query level that reads the dimension and sets the
 * parameters, for nshards foreign tables.  More than most keys are passed as a
 * range, and as a filter if keys->filtered.
 */
extern void ssdpar_plan_shard_keys(PlannerInfo *root, RelOptInfo *fact,
								   SsdparShardKeys *keys, int nshards,
								   int most);

/*
 * Conditions (Expr) which require that shard, the fact or a partition of it,
 * has one of the keys in its column.  Those on parameters that are NULL are
 * always true.
 */
extern List *ssdpar_shard_key_conditions(PlannerInfo *root, RelOptInfo *fact,
										 const SsdparShard *shard,
										 const SsdparShardKeys *keys);

extern void ssdpar_register_shard_keys(void);

#endif							/* SSDPAR_SHARDS_KEYS_PARAM_H */
