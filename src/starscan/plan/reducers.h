/*
 * reducers.h
 *		A dimension's part of the plan of a star scan.
 */
#ifndef SSDPAR_PLAN_REDUCERS_H
#define SSDPAR_PLAN_REDUCERS_H

#include "starscan/plan/candidate.h"

/*
 * Fills the reducers and children of estimate, whose dimension is set, for
 * scans of table.  With parallel_safe, the children can run in a worker.
 * Returns false if one cannot be read in that way.
 */
extern bool ssdpar_make_reducers(const SsdparStarTable *table,
								 bool parallel_safe,
								 SsdparEstimate *estimate);

#endif							/* SSDPAR_PLAN_REDUCERS_H */
