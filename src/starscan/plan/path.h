/*
 * path.h
 *		The SsdparStarScan as the planner sees it.
 */
#ifndef SSDPAR_PLAN_PATH_H
#define SSDPAR_PLAN_PATH_H

#include "starscan/plan/candidate.h"

/* A path of ours: core's way to plan children would not do (path.c). */
typedef struct SsdparStarPath
{
	CustomPath	custom;			/* must be first */
	const SsdparStarPlan *plan; /* what becomes the plan's custom_private */
	List	   *children;		/* Path, one a reducer */
	List	   *dimensions;		/* SsdparDimension that reduce the table
								 * itself */
	bool		narrow;			/* no column that is not asked for */

	/*
	 * Of a path of a join relation, with joined reducers: the fact's
	 * relation, and the columns that ride along, in the order of the plan's.
	 */
	RelOptInfo *fact;
	List	   *joined_columns; /* Var */
} SsdparStarPath;

/* Path as that, or NULL if it is none. */
extern SsdparStarPath *ssdpar_star_path(Path *path);

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
