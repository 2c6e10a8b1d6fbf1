/*
 * repeatable.h
 *		Determines whether a path may be executed once more, and early.
 */
#ifndef SSDPAR_STAR_REPEATABLE_H
#define SSDPAR_STAR_REPEATABLE_H

#include "nodes/pathnodes.h"
#include "nodes/plannodes.h"

#include "star/refusal.h"

/* Returns SSDPAR_ACCEPTED, or why it may not.  */
extern SsdparRefusal ssdpar_repeatable(PlannerInfo *root, Path *path);

/*
 * The same for one side of a join.  The answer is kept, because all paths of
 * the side's relation exist and core frees none of them.
 */
extern SsdparRefusal ssdpar_side_repeatable(PlannerInfo *root, Path *path);

/*
 * Does a plan node, or one below it, compute anything volatile?  Used in
 * assertions; the paths have been checked before.
 */
extern bool ssdpar_plan_is_volatile(Plan *plan);

#endif							/* SSDPAR_STAR_REPEATABLE_H */
