/*
 * collect_keys.h
 *		A star scan's first phase: reads the dimensions and keeps their keys.
 */
#ifndef SSDPAR_COLLECT_KEYS_H
#define SSDPAR_COLLECT_KEYS_H

#include "starscan/exec/collectors.h"
#include "starscan/exec/participants.h"
#include "starscan/exec/result.h"

/*
 * Run the children, one a reducer, and put into data what they give; in the
 * current memory context what the indexes are to be asked for, one a reducer.
 * early goes on meanwhile, unless it is NULL.  With a participant others help
 * with large ones.
 */
extern SsdparLookupKeys *ssdpar_collect_keys(const SsdparStarPlan *plan,
											 SsdparStarChild *children,
											 SsdparEarlyRead *early,
											 const SsdparParticipant *self,
											 SsdparStarData *data);

/*
 * What reducers are joined by and a complete result, which is not empty, has
 * not: read into this process's own memory.
 */
extern void ssdpar_collect_missing(const SsdparStarPlan *plan,
								   SsdparStarChild *children,
								   SsdparStarData *data);

#endif							/* SSDPAR_COLLECT_KEYS_H */
