/*
 * overlap.h
 *		What of the fact is read while its star scan collects keys.
 */
#ifndef SSDPAR_PLAN_OVERLAP_H
#define SSDPAR_PLAN_OVERLAP_H

#include "starscan/plan/candidate.h"

/*
 * Pages that may be asked for before a candidate's keys are known: of the
 * table, by these reads, whose rows take so many seconds of computing.  0:
 * none.  With a profile.
 */
extern double ssdpar_early_pages(const SsdparStarTable *table,
								 const SsdparCandidate *candidate,
								 const SsdparReads *reads,
								 double cpu_seconds);

/*
 * reads, the candidate's of the table, less what the device gives of so many
 * early pages while a process computes for so many planner units before it
 * begins: that is in the page cache then (starscan/exec/meanwhile.c).  With a
 * profile.
 */
extern SsdparReads ssdpar_reads_after_keys(const SsdparStarTable *table,
										   double early_pages,
										   Cost computing, SsdparReads reads);

/* What of a dimension's child, a Path, is computing: so much at least. */
extern Cost ssdpar_child_computing(const Path *path);

#endif							/* SSDPAR_PLAN_OVERLAP_H */
