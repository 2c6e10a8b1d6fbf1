/*
 * predict.h
 *		Predicted I/O times of the ways to split a star query.
 */
#ifndef SSDPAR_PREDICT_H
#define SSDPAR_PREDICT_H

#include "nodes/pathnodes.h"

/*
 * Processes that saturate the device under the fact with one random read
 * each; 0 without a device profile.
 */
extern int	ssdpar_saturating_subqueries(RelOptInfo *fact);

/*
 * Does reading so many pages at random from N subqueries take less I/O time
 * than reading the whole fact?  Without a device profile: by page costs.
 */
extern bool ssdpar_index_join_wins(RelOptInfo *fact, double pages,
								   int subqueries);

#endif							/* SSDPAR_PREDICT_H */
