/*
 * star_path.h
 *		The SsdparStarScan as the planner sees it.
 */
#ifndef SSDPAR_STAR_PATH_H
#define SSDPAR_STAR_PATH_H

#include "nodes/extensible.h"
#include "nodes/pathnodes.h"

#include "planner/star_reducers.h"
#include "starscan/star_plan.h"

/* What a star scan is made of: the plan, and a path a reducer, in order. */
typedef struct SsdparStarParts
{
	SsdparStarPlan plan;
	List	   *children;
} SsdparStarParts;

/*
 * The parts of a scan of rel, the fact or a partition of it, that one dimension
 * of the fact makes up, with those below it: its own reducer comes last.  With
 * parallel_safe, of children that can run in a worker.  NULL if one cannot be
 * read so.
 */
extern SsdparStarParts *ssdpar_star_parts(PlannerInfo *root, RelOptInfo *fact,
										  RelOptInfo *rel,
										  SsdparDimension *dimension,
										  bool parallel_safe);

/* Add more to parts, whose plan has room for its reducers. */
extern void ssdpar_star_append(SsdparStarParts *parts,
							   const SsdparStarParts *more);

/*
 * The path of such a scan, without costs; workers > 0: a partial path.  Any
 * other is said to be unsafe in workers: a parallel join would let each process
 * read the fact on its own, as the inner side of a hash join, and core takes
 * that for as fast as one.
 */
extern CustomPath *ssdpar_star_path(PlannerInfo *root, RelOptInfo *rel,
									const SsdparStarParts *parts,
									int workers);

/*
 * If path is such a scan: its rows will be kept, so it shall hand up no more
 * columns than are asked for.  Else false.
 */
extern bool ssdpar_star_path_narrow(Path *path);

extern void ssdpar_register_star_scan(void);

#endif							/* SSDPAR_STAR_PATH_H */
