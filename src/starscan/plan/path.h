/*
 * path.h
 *		The SsdparStarScan as the planner sees it.
 */
#ifndef SSDPAR_PLAN_PATH_H
#define SSDPAR_PLAN_PATH_H

#include "starscan/plan/candidate.h"

/* The path of candidate, which is priced: a partial one if it has workers. */
extern Path *ssdpar_make_star_path(const SsdparStarTable *table,
								   const SsdparCandidate *candidate);

/*
 * If path is such a scan: its rows will be kept, so it shall hand up no more
 * columns than are asked for.  Else false.
 */
extern bool ssdpar_narrow_star_path(Path *path);

extern void ssdpar_register_star_scan(void);

#endif							/* SSDPAR_PLAN_PATH_H */
