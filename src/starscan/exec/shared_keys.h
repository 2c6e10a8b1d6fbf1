/*
 * shared_keys.h
 *		Keys that the scans of all partitions of a fact have in common.
 */
#ifndef SSDPAR_SHARED_KEYS_H
#define SSDPAR_SHARED_KEYS_H

#include "starscan/exec/collect_keys.h"
#include "starscan/exec/ring.h"

typedef struct SsdparSharedKeys SsdparSharedKeys;

/* In the current memory context, not collected yet. */
extern SsdparSharedKeys *ssdpar_shared_keys_create(const SsdparStarPlan *plan,
												   SsdparStarChild *children);

/*
 * Whose plan is being initialised: the scans of partitions that are created
 * meanwhile use its keys.  Returns what it was before.
 */
extern SsdparSharedKeys *ssdpar_shared_keys_enter(SsdparSharedKeys *keys);
extern SsdparSharedKeys *ssdpar_shared_keys_current(void);

/* The plan of the scan of a partition that is written there. */
extern SsdparStarPlan *ssdpar_shared_keys_part(const SsdparSharedKeys *keys,
											   const List *list);

/*
 * A scan of a partition that uses them, and says in *pruned whether it was left
 * out; how many there are and were, for EXPLAIN.
 */
extern void ssdpar_shared_keys_add_part(SsdparSharedKeys *keys,
										const bool *pruned);
extern void ssdpar_shared_keys_count_parts(const SsdparSharedKeys *keys,
										   int *all, int *pruned);

/* The ring that the pages of all partitions go through, or NULL. */
extern SsdparRing *ssdpar_shared_keys_ring(const SsdparSharedKeys *keys);

/* What indexes are to be asked for, one a reducer; they are collected. */
extern const SsdparLookupKeys *
			ssdpar_shared_keys_lookup(const SsdparSharedKeys *keys);

/* Collects them, unless that has been done; false: no row can have any. */
extern bool ssdpar_shared_keys_collected(SsdparSharedKeys *keys);

/* What is known, maybe nothing; its sets live until they are forgotten. */
extern const SsdparStarData *
			ssdpar_shared_keys_data(const SsdparSharedKeys *keys);

/*
 * Copy there what is known of the reducers, without what belongs to this
 * process, whenever it is; NULL: no longer.
 */
extern void ssdpar_shared_keys_publish(SsdparSharedKeys *keys,
									   SsdparStarResult *copy);

/*
 * May rows of this partition have any of the keys, by its bounds?  They are
 * collected, unless that has been done.
 */
extern bool ssdpar_shared_keys_reach(SsdparSharedKeys *keys,
									 const SsdparStarPlan *part);

/* A parameter of some child has changed.  Those of others stay. */
extern void ssdpar_shared_keys_forget(SsdparSharedKeys *keys);

/* How often that has happened: what rests on them is as old as they are. */
extern uint64 ssdpar_shared_keys_age(const SsdparSharedKeys *keys);

#endif							/* SSDPAR_SHARED_KEYS_H */
