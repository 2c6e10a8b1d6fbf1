/*
 * shared_keys.h
 *		Keys shared by the scans of all partitions of a fact.
 */
#ifndef SSDPAR_SHARED_KEYS_H
#define SSDPAR_SHARED_KEYS_H

#include "starscan/exec/collect_keys.h"
#include "starscan/exec/ring.h"

typedef struct SsdparSharedKeys SsdparSharedKeys;

/* Creates it in the current memory context; nothing is collected yet.  */
extern SsdparSharedKeys *ssdpar_shared_keys_create(const SsdparStarPlan *plan,
												   SsdparStarChild *children);

/*
 * Sets the keys that scans of partitions use if they are created from now on;
 * called while the owner's plan is initialized.  Returns the previous keys.
 */
extern SsdparSharedKeys *ssdpar_shared_keys_enter(SsdparSharedKeys *keys);
extern SsdparSharedKeys *ssdpar_shared_keys_current(void);

/* Reads the plan of a partition's scan from list.  */
extern SsdparStarPlan *ssdpar_shared_keys_part(const SsdparSharedKeys *keys,
											   const List *list);

/*
 * Registers a partition's scan, which sets *pruned if it was pruned, and
 * counts the scans and those pruned, for EXPLAIN.
 */
extern void ssdpar_shared_keys_add_part(SsdparSharedKeys *keys,
										const bool *pruned);
extern void ssdpar_shared_keys_count_parts(const SsdparSharedKeys *keys,
										   int *all, int *pruned);

/* Returns the ring for the pages of all partitions, or NULL. */
extern SsdparRing *ssdpar_shared_keys_ring(const SsdparSharedKeys *keys);

/*
 * Returns the keys to look up in indexes, one entry for each reducer.  They
 * must have been collected.
 */
extern const SsdparLookupKeys *
			ssdpar_shared_keys_lookup(const SsdparSharedKeys *keys);

/* Collects the keys, if necessary.  Returns false if no row can match.  */
extern bool ssdpar_shared_keys_collected(SsdparSharedKeys *keys);

/*
 * Returns what is known, if anything.  Its sets live until they are forgotten.
 */
extern const SsdparStarData *
			ssdpar_shared_keys_data(const SsdparSharedKeys *keys);

/*
 * Copies what is known about the reducers to copy, without process-local
 * parts, as soon as it is known.  NULL stops this.
 */
extern void ssdpar_shared_keys_publish(SsdparSharedKeys *keys,
									   SsdparStarResult *copy);

/*
 * Can rows of this partition have any of the keys, given its bounds?  Collects
 * the keys, if necessary.
 */
extern bool ssdpar_shared_keys_reach(SsdparSharedKeys *keys,
									 const SsdparStarPlan *part);

/*
 * Forgets keys that depend on parameters, after a child's parameter has
 * changed.
 */
extern void ssdpar_shared_keys_forget(SsdparSharedKeys *keys);

/*
 * Returns how often keys were forgotten, so that a scan can tell whether its
 * data is current.
 */
extern uint64 ssdpar_shared_keys_age(const SsdparSharedKeys *keys);

#endif							/* SSDPAR_SHARED_KEYS_H */
