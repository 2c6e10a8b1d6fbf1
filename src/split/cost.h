/*
 * cost.h
 *		Predicted times of the ways to split a star query.
 */
#ifndef SSDPAR_SPLIT_COST_H
#define SSDPAR_SPLIT_COST_H

#include "nodes/pathnodes.h"

#include "cost/tablespace_model.h"
#include "split/index_join.h"

/*
 * The cost model for the fact of a query whose scans it has priced, so that
 * its times and their costs can be compared.  False if it has not.
 */
extern bool ssdpar_predict_model(RelOptInfo *fact, SsdparModel *model);

/*
 * The number of subqueries, at most max_subqueries, in which the index join
 * takes the least time, and that time in seconds; 1 when it is not worth a
 * second process.  Where no number takes less than enough, any number, and a
 * time that is not less.
 */
extern int	ssdpar_best_subqueries(PlannerInfo *root, RelOptInfo *fact,
								   const SsdparModel *model,
								   const SsdparIndexJoin *join,
								   int max_subqueries, double enough,
								   double *seconds);

/*
 * The least time of what core could do instead: read the fact, or a part of
 * it by a star scan, alone or in parallel, or the same index join unsplit.
 */
extern double ssdpar_unsplit_seconds(PlannerInfo *root, RelOptInfo *fact,
									 const SsdparModel *model,
									 const SsdparIndexJoin *join);

/*
 * What core's processes would save by sharing the scans of the other tables,
 * which a split index join has each of them read alone, in seconds.
 */
extern double ssdpar_unshared_seconds(PlannerInfo *root,
									  const RelOptInfo *fact,
									  const SsdparModel *model,
									  const SsdparIndexJoin *join);

/*
 * Does the index join in that many subqueries take less time than reading the
 * whole fact in as many?  Without a device profile: by page costs.
 */
extern bool ssdpar_index_join_wins(PlannerInfo *root, RelOptInfo *fact,
								   const SsdparIndexJoin *join,
								   int subqueries);

/*
 * What core leaves out when it shares the cost of the index join among the
 * subqueries: planner units for each, at least 0.
 */
extern Cost ssdpar_uncounted_cost(PlannerInfo *root, RelOptInfo *fact,
								  const SsdparModel *model,
								  const SsdparIndexJoin *join,
								  int subqueries);

/* Planner units of reading the whole fact in that many subqueries. */
extern Cost ssdpar_split_scan_cost(PlannerInfo *root, RelOptInfo *fact,
								   const SsdparModel *model, int subqueries);

#endif							/* SSDPAR_SPLIT_COST_H */
