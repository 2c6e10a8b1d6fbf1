/*
 * covered_join.h
 *		Determines whether reducing a fact by the keys of dimensions is
 *		equivalent to joining it with them.
 */
#ifndef SSDPAR_COVERED_JOIN_H
#define SSDPAR_COVERED_JOIN_H

#include "nodes/pathnodes.h"

#include "star/semijoin.h"

/*
 * Can a join with the dimension be covered, as far as the two tables are
 * concerned?  Other requirements of the query on that join are not checked.
 */
extern bool ssdpar_dimension_may_be_covered(PlannerInfo *root,
											const SsdparDimension *dimension);

/*
 * Does joinrel, which core is about to build, contain exactly the fact's rows
 * that have a partner in each of these dimensions (SsdparDimension), with the
 * columns of that partner added?  joinrel consists of the fact and these
 * dimensions.
 */
extern bool ssdpar_join_is_covered(PlannerInfo *root, RelOptInfo *joinrel,
								   RelOptInfo *fact, List *dimensions);

#endif							/* SSDPAR_COVERED_JOIN_H */
