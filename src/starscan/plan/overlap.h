/*
 * overlap.h
 *		Estimates how much of the fact is read while its star scan collects
 *		keys.
 */
#ifndef SSDPAR_PLAN_OVERLAP_H
#define SSDPAR_PLAN_OVERLAP_H

#include "starscan/plan/candidate.h"

/*
 * Number of the table's pages that may be requested before a candidate's keys
 * are known, given these reads, whose rows take cpu_seconds to process.  0
 * means none.  Requires a profile.
 */
extern double ssdpar_early_pages(const SsdparStarTable *table,
								 const SsdparCandidate *candidate,
								 const SsdparReads *reads,
								 double cpu_seconds);

/*
 * Returns the candidate's reads of the table without the early pages that the
 * device reads while a process computes for "computing" planner units before
 * the scan begins, since those are in the page cache by then
 * (starscan/exec/meanwhile.c).  Requires a profile.
 */
extern SsdparReads ssdpar_reads_after_keys(const SsdparStarTable *table,
										   double early_pages,
										   Cost computing, SsdparReads reads);

/*
 * The part of the cost of a dimension's child (a Path) that is certainly
 * computing.
 */
extern Cost ssdpar_child_computing(const Path *path);

#endif							/* SSDPAR_PLAN_OVERLAP_H */
