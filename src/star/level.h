/*
 * level.h
 *		Determines whether rows may be dropped in a query level before they
 *		are joined.
 */
#ifndef SSDPAR_STAR_LEVEL_H
#define SSDPAR_STAR_LEVEL_H

#include "nodes/pathnodes.h"

#include "star/refusal.h"

/*
 * Returns SSDPAR_ACCEPTED, or why no row of fact may be dropped in this query
 * level, whichever dimension it has no partner in.
 */
extern SsdparRefusal ssdpar_level_problem(PlannerInfo *root, RelOptInfo *fact);

#endif							/* SSDPAR_STAR_LEVEL_H */
