/*
 * predict.h
 *		Predicted I/O times of the ways to split a star query.
 */
#ifndef SSDPAR_PREDICT_H
#define SSDPAR_PREDICT_H

#include "nodes/pathnodes.h"

/*
 * The number of subqueries, at most max_subqueries, in which so many pages
 * are read at random in the least time; 1 when it is not worth a second
 * process, 0 without a device profile.
 */
extern int	ssdpar_best_subqueries(RelOptInfo *fact, double pages,
								   int max_subqueries);

/*
 * Does reading so many pages at random from N subqueries take less I/O time
 * than reading the whole fact?  Without a device profile: by page costs.
 */
extern bool ssdpar_index_join_wins(RelOptInfo *fact, double pages,
								   int subqueries);

/*
 * Would that clearly take less time than this scan of the fact, priced by the
 * device profile, and what is joined with it?  Without a profile: no.
 */
extern bool ssdpar_index_join_beats(RelOptInfo *fact, double pages,
									int subqueries, Path *scan);

#endif							/* SSDPAR_PREDICT_H */
