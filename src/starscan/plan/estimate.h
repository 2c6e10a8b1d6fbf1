/*
 * estimate.h
 *		Estimates how much a star scan reads and computes, without prices.
 */
#ifndef SSDPAR_PLAN_ESTIMATE_H
#define SSDPAR_PLAN_ESTIMATE_H

#include "starscan/plan/candidate.h"

/*
 * Estimates what dimension adds to star scans of table in one process, except
 * the cost of its index.  Returns false if it, or one below it, cannot be
 * read.
 */
extern bool ssdpar_estimate_dimension(const SsdparStarTable *table,
									  const SsdparDimension *dimension,
									  SsdparEstimate *estimate);

/*
 * Looks at the indexes to see whether rows of a key are located together, if
 * that may matter.  Returns true if any are.
 */
extern bool ssdpar_estimate_together(const SsdparStarTable *table,
									 SsdparEstimate *estimates);

/*
 * Converts an estimate for one process to one for several, with children that
 * can run in workers.  Returns false if one cannot be read in that way.
 */
extern bool ssdpar_estimate_for_workers(const SsdparStarTable *table,
										SsdparEstimate *estimate);

/*
 * Converts an estimate of another partition of the fact to one for table.  It
 * reads no children and uses this index, which may be NULL.
 */
extern void ssdpar_estimate_part(const SsdparStarTable *table,
								 IndexOptInfo *index,
								 SsdparEstimate *estimate);

/* Fills candidate's workload. */
extern void ssdpar_count_workload(const SsdparStarTable *table,
								  SsdparCandidate *candidate);

/* Fraction kept of the rows that satisfy the table's qual. */
extern double ssdpar_kept_of_filtered(const SsdparStarTable *table,
									  const SsdparCandidate *candidate);

#endif							/* SSDPAR_PLAN_ESTIMATE_H */
