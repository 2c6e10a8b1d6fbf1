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
 * Gets the cost model for the fact of a query if it has priced the fact's
 * scans, so that its times can be compared with their costs.  Returns false if
 * not.
 */
extern bool ssdpar_predict_model(RelOptInfo *fact, SsdparModel *model);

/*
 * Returns the number of subqueries, at most max_subqueries, with which the
 * index join takes the least time, and that time in seconds; 1 if a second
 * process does not pay off.  If no number takes less than enough, returns any
 * number and a time that is not less.
 */
extern int	ssdpar_best_subqueries(PlannerInfo *root, RelOptInfo *fact,
								   const SsdparModel *model,
								   const SsdparIndexJoin *join,
								   int max_subqueries, double enough,
								   double *seconds);

/*
 * Returns the least time of core's alternatives: reading the fact, or a part
 * of it by a star scan, alone or in parallel, or the same index join unsplit.
 */
extern double ssdpar_unsplit_seconds(PlannerInfo *root, RelOptInfo *fact,
									 const SsdparModel *model,
									 const SsdparIndexJoin *join);

/*
 * Returns the seconds that core's processes would save by sharing the scans of
 * the other tables, which each process of a split index join reads alone.
 */
extern double ssdpar_unshared_seconds(PlannerInfo *root,
									  const RelOptInfo *fact,
									  const SsdparModel *model,
									  const SsdparIndexJoin *join);

/*
 * Does the index join in that many subqueries take less time than reading the
 * whole fact in as many?  Without a device profile, this compares page costs.
 */
extern bool ssdpar_index_join_wins(PlannerInfo *root, RelOptInfo *fact,
								   const SsdparIndexJoin *join,
								   int subqueries);

/*
 * Returns what core omits when it divides the cost of the index join among the
 * subqueries: planner units for each, at least 0.
 */
extern Cost ssdpar_uncounted_cost(PlannerInfo *root, RelOptInfo *fact,
								  const SsdparModel *model,
								  const SsdparIndexJoin *join,
								  int subqueries);

/* Returns the planner units to read the whole fact in that many subqueries.  */
extern Cost ssdpar_split_scan_cost(PlannerInfo *root, RelOptInfo *fact,
								   const SsdparModel *model, int subqueries);

#endif							/* SSDPAR_SPLIT_COST_H */
