/*
 * join_again.h
 *		Two relations that core has joined, joined by it once more.
 */
#ifndef SSDPAR_JOIN_AGAIN_H
#define SSDPAR_JOIN_AGAIN_H

#include "nodes/pathnodes.h"

/* What core has just joined, as set_join_pathlist_hook is told. */
typedef struct SsdparPair
{
	PlannerInfo *root;
	RelOptInfo *joinrel;
	RelOptInfo *outer;
	RelOptInfo *inner;
	JoinType	jointype;
	JoinPathExtraData *extra;
	double		outer_spread;	/* ssdpar_row_spread(); 0: not asked yet */
	double		inner_spread;
	int			apart;			/* SSDPAR_JOIN_*: ways not to join it again */
} SsdparPair;

/* Ways to join a pair at their own prices, in none of the join's lists. */
typedef struct SsdparJoins
{
	bool		dearer;			/* something may have lost against core's */
	List	   *paths;
	List	   *partial;
} SsdparJoins;

/* Of this call of core's? */
extern bool ssdpar_is_join_of_pair(const SsdparPair *pair, Path *path);

/* A nested loop of this call of core's? */
extern bool ssdpar_is_loop_of_pair(const SsdparPair *pair, Path *path);

/* By how many planner units the cheapest path in one process joins. */
extern Cost ssdpar_least_join_cost(const RelOptInfo *joinrel);

/* Could the two be joined by hashing? */
extern bool ssdpar_has_hash_clause(const SsdparPair *pair);

/* Does the path take values of this relation? */
extern bool ssdpar_has_parameters_of(const Path *path, const RelOptInfo *rel);

/*
 * Have core join the two again, with these paths in the place of the inner
 * side's parameterized ones; with plain false, without nested loops over an
 * inner side that takes nothing of the outer rows.
 */
extern void ssdpar_join_again(const SsdparPair *pair, List *inner_paths,
							  bool plain);

/*
 * Have core join the two again one way, SSDPAR_JOIN_HASH or SSDPAR_JOIN_MERGE:
 * new paths, compared with each other alone.
 */
extern SsdparJoins ssdpar_join_one_way(const SsdparPair *pair, int way);

/*
 * Take the paths of one way out of the join's lists: from now on core makes
 * none of this pair.
 */
extern void ssdpar_take_apart(SsdparPair *pair, int way);

/* Is core doing so: making paths of a pair that hooks have seen? */
extern bool ssdpar_pair_is_made_again(void);

#endif							/* SSDPAR_JOIN_AGAIN_H */
