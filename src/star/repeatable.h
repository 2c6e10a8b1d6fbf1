/*
 * repeatable.h
 *		Whether what a path reads may be read one more time, and early.
 */
#ifndef SSDPAR_STAR_REPEATABLE_H
#define SSDPAR_STAR_REPEATABLE_H

#include "nodes/pathnodes.h"
#include "nodes/plannodes.h"

#include "star/refusal.h"

/* May it, and if not, why? */
extern SsdparRefusal ssdpar_repeatable(PlannerInfo *root, Path *path);

/*
 * The same of one side of a join, for which the answer is kept: all paths of
 * its relation are there, and core frees none of these.
 */
extern SsdparRefusal ssdpar_side_repeatable(PlannerInfo *root, Path *path);

/*
 * Does a plan node, or one below it, compute anything volatile?  For
 * assertions: the paths have been looked at before.
 */
extern bool ssdpar_plan_is_volatile(Plan *plan);

#endif							/* SSDPAR_STAR_REPEATABLE_H */
