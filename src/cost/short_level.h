/*
 * short_level.h
 *		Query levels that core surely joins in a short time.
 */
#ifndef SSDPAR_SHORT_LEVEL_H
#define SSDPAR_SHORT_LEVEL_H

#include "nodes/pathnodes.h"

/*
 * Does core have a plan for all joins of the level that is predicted to take
 * so little time that nothing of ours can gain what considering it costs?
 * The base relations have their paths, at our prices.
 */
extern bool ssdpar_level_is_short(PlannerInfo *root);

/*
 * What core's plan for these joins costs at most, each run of the level;
 * infinity if it may be long.
 */
extern Cost ssdpar_surely_joined(PlannerInfo *root);

/* Planning a statement begins or ends: a level may be at another's address. */
extern void ssdpar_short_levels_forget(void);

#endif							/* SSDPAR_SHORT_LEVEL_H */
