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
} SsdparPair;

/* Of this call of core's? */
extern bool ssdpar_is_join_of_pair(const SsdparPair *pair, Path *path);

/* A nested loop of this call of core's? */
extern bool ssdpar_is_loop_of_pair(const SsdparPair *pair, Path *path);

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
 * Has core join the two by hashing alone.  The new paths are in none of the
 * join's lists.
 */
extern void ssdpar_join_by_hash(const SsdparPair *pair, List **paths,
								List **partial);

/* Is core doing so: making paths of a pair that hooks have seen? */
extern bool ssdpar_pair_is_made_again(void);

#endif							/* SSDPAR_JOIN_AGAIN_H */
