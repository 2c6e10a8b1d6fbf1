/*
 * children.h
 *		The child plans that read the dimensions, one a reducer.
 */
#ifndef SSDPAR_STAR_CHILDREN_H
#define SSDPAR_STAR_CHILDREN_H

#include "starscan/exec/collect_keys.h"

/*
 * Initialise the first n of the node's custom plans as that, of which it has to
 * have as many at least; they become the first of its custom_ps.
 */
extern SsdparStarChild *ssdpar_star_children_init(CustomScanState *css, int n,
												  EState *estate, int eflags);

/* At a rescan of the node: tell its n; has a parameter of one changed? */
extern bool ssdpar_star_children_change(SsdparStarChild *children, int n,
										PlanState *node);

#endif							/* SSDPAR_STAR_CHILDREN_H */
