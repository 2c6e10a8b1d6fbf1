/*
 * covered_join.h
 *		Whether reducing a fact by the keys of dimensions is all that joining it
 *		with them does.
 */
#ifndef SSDPAR_COVERED_JOIN_H
#define SSDPAR_COVERED_JOIN_H

#include "nodes/pathnodes.h"

/*
 * Is joinrel, which core is about to build, nothing but the fact's rows that
 * have a partner in each of these dimensions (SsdparDimension), with the one
 * partner's columns beside?  joinrel consists of the fact and these.
 */
extern bool ssdpar_join_is_covered(PlannerInfo *root, RelOptInfo *joinrel,
								   RelOptInfo *fact, List *dimensions);

#endif							/* SSDPAR_COVERED_JOIN_H */
