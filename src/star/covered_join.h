/*
 * covered_join.h
 *		Whether reducing a fact by the keys of dimensions is all that joining it
 *		with them does.
 */
#ifndef SSDPAR_COVERED_JOIN_H
#define SSDPAR_COVERED_JOIN_H

#include "nodes/pathnodes.h"

#include "star/semijoin.h"

/*
 * Can a join with the dimension be covered, as far as the two tables tell?
 * What else the query asks of that join is not looked at.
 */
extern bool ssdpar_dimension_may_be_covered(PlannerInfo *root,
											const SsdparDimension *dimension);

/*
 * Is joinrel, which core is about to build, nothing but the fact's rows that
 * have a partner in each of these dimensions (SsdparDimension), with the one
 * partner's columns beside?  joinrel consists of the fact and these.
 */
extern bool ssdpar_join_is_covered(PlannerInfo *root, RelOptInfo *joinrel,
								   RelOptInfo *fact, List *dimensions);

#endif							/* SSDPAR_COVERED_JOIN_H */
