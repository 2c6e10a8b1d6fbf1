/*
 * collect_keys.h
 *		First phase of a star scan: reads the dimensions and keeps their keys.
 */
#ifndef SSDPAR_COLLECT_KEYS_H
#define SSDPAR_COLLECT_KEYS_H

#include "starscan/exec/collectors.h"
#include "starscan/exec/participants.h"
#include "starscan/exec/result.h"

/*
 * Runs the children, one for each reducer, and stores the results in data.
 * Returns the keys to look up in the indexes, one entry for each reducer, in
 * the current memory context.  Early reads continue meanwhile unless early is
 * NULL. If self is not NULL, other processes help to read large dimensions.
 */
extern SsdparLookupKeys *ssdpar_collect_keys(const SsdparStarPlan *plan,
											 SsdparStarChild *children,
											 SsdparEarlyRead *early,
											 const SsdparParticipant *self,
											 SsdparStarData *data);

/*
 * Reads the joined dimensions that a complete, non-empty result does not
 * include into this process's own memory.
 */
extern void ssdpar_collect_missing(const SsdparStarPlan *plan,
								   SsdparStarChild *children,
								   SsdparStarData *data);

#endif							/* SSDPAR_COLLECT_KEYS_H */
