/*
 * children.h
 *		The child plans that read the dimensions, one for each reducer.
 */
#ifndef SSDPAR_STAR_CHILDREN_H
#define SSDPAR_STAR_CHILDREN_H

#include "starscan/exec/collect_keys.h"

/*
 * Initializes the first n of the node's custom plans and appends them to its
 * custom_ps, which must be empty.  The node must have at least n custom plans.
 */
extern SsdparStarChild *ssdpar_star_children_init(CustomScanState *css, int n,
												  EState *estate, int eflags);

/*
 * Propagates changed parameters to the n children when the node is rescanned.
 * Returns true if a parameter of any child has changed.
 */
extern bool ssdpar_star_children_change(SsdparStarChild *children, int n,
										PlanState *node);

#endif							/* SSDPAR_STAR_CHILDREN_H */
