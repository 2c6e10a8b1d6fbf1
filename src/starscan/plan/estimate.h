/*
 * estimate.h
 *		How much a star scan reads and computes, whatever that costs.
 */
#ifndef SSDPAR_PLAN_ESTIMATE_H
#define SSDPAR_PLAN_ESTIMATE_H

#include "starscan/plan/candidate.h"

/*
 * What dimension adds to star scans of table in one process, but for the cost
 * of its index.  False if it, or one below it, cannot be read.
 */
extern bool ssdpar_estimate_dimension(const SsdparStarTable *table,
									  const SsdparDimension *dimension,
									  SsdparEstimate *estimate);

/*
 * Look at the indexes whether rows of a key lie together, where that may count.
 * Do any?
 */
extern bool ssdpar_estimate_together(const SsdparStarTable *table,
									 SsdparEstimate *estimates);

/*
 * Make an estimate for one process that for several: of children that can run
 * in workers.  False if one cannot be read so.
 */
extern bool ssdpar_estimate_for_workers(const SsdparStarTable *table,
										SsdparEstimate *estimate);

/*
 * Make an estimate of one partition of the fact that of another, which table
 * is: it reads no children, and has this index, which may be NULL.
 */
extern void ssdpar_estimate_part(const SsdparStarTable *table,
								 IndexOptInfo *index,
								 SsdparEstimate *estimate);

/* Fill candidate's workload. */
extern void ssdpar_count_workload(const SsdparStarTable *table,
								  SsdparCandidate *candidate);

/* The share that is kept of the rows that pass the table's own filter. */
extern double ssdpar_kept_of_filtered(const SsdparStarTable *table,
									  const SsdparCandidate *candidate);

#endif							/* SSDPAR_PLAN_ESTIMATE_H */
