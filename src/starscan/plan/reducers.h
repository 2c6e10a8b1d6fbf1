/*
 * reducers.h
 *		A dimension's part of the plan of a star scan.
 */
#ifndef SSDPAR_PLAN_REDUCERS_H
#define SSDPAR_PLAN_REDUCERS_H

#include "starscan/plan/candidate.h"

/*
 * Fill the reducers and children of estimate, whose dimension is set, for scans
 * of table; with parallel_safe, of children that can run in a worker.  False if
 * one cannot be read so.
 */
extern bool ssdpar_make_reducers(const SsdparStarTable *table,
								 bool parallel_safe,
								 SsdparEstimate *estimate);

#endif							/* SSDPAR_PLAN_REDUCERS_H */
