/*
 * collect_keys.h
 *		A star scan's first phase: reads the dimensions and keeps their keys.
 */
#ifndef SSDPAR_COLLECT_KEYS_H
#define SSDPAR_COLLECT_KEYS_H

#include "nodes/execnodes.h"

#include "prefetch/early_read.h"
#include "starscan/exec/lookup_keys.h"
#include "starscan/exec/result.h"
#include "starscan/star_plan.h"

/* The child plan of a reducer. */
typedef struct SsdparStarChild
{
	PlanState  *plan;
	bool		ran;			/* has to be started again */
} SsdparStarChild;

/*
 * Run the children, one a reducer, and put into data what they give; in the
 * current memory context what the indexes are to be asked for, one a reducer.
 * early goes on meanwhile, unless it is NULL.
 */
extern SsdparLookupKeys *ssdpar_collect_keys(const SsdparStarPlan *plan,
											 SsdparStarChild *children,
											 SsdparEarlyRead *early,
											 SsdparStarData *data);

/*
 * What reducers are joined by and a complete result, which is not empty, has
 * not: read into this process's own memory.
 */
extern void ssdpar_collect_missing(const SsdparStarPlan *plan,
								   SsdparStarChild *children,
								   SsdparStarData *data);

#endif							/* SSDPAR_COLLECT_KEYS_H */
