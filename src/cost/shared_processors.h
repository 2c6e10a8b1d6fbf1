/*
 * shared_processors.h
 *		What a parallel plan of core's takes longer beside other sessions.
 */
#ifndef SSDPAR_SHARED_PROCESSORS_H
#define SSDPAR_SHARED_PROCESSORS_H

#include "nodes/pathnodes.h"

#include "cost/tablespace_model.h"

/*
 * The server knows a table: it is not to be offered more workers than there are
 * processors left for them, but one at least.  What the user has set for the
 * table stays, and so does core's number where no other session computes.
 * Returns that number, which its sequential scan gets; < 0: not limited.
 */
extern int	ssdpar_limit_workers(RelOptInfo *rel);

/*
 * To be added to a partial path of a join that core has just made, and to one
 * of all tables of a query for the aggregation that is going to stand above:
 * core divides their computing by all processes, of which some get no processor
 * while other sessions compute.  0 where none does.
 */
extern Cost ssdpar_shared_join_cost(const SsdparModel *model,
									const Path *path);
extern Cost ssdpar_shared_grouping_cost(PlannerInfo *root,
										const SsdparModel *model,
										const RelOptInfo *rel,
										const Path *path);

/* Add the latter to the partial paths of a table that is alone in its query. */
extern void ssdpar_price_shared_grouping(PlannerInfo *root,
										 const SsdparModel *model,
										 RelOptInfo *rel);

/* By how much longer workers compute than alone: 0 for as long. */
extern double ssdpar_shared_slowdown(const SsdparModel *model, int workers);

#endif							/* SSDPAR_SHARED_PROCESSORS_H */
