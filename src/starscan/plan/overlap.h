/*
 * overlap.h
 *		What of the fact is read while its star scan collects keys.
 */
#ifndef SSDPAR_PLAN_OVERLAP_H
#define SSDPAR_PLAN_OVERLAP_H

#include "starscan/plan/candidate.h"

/*
 * reads, the candidate's of the table, less what the device gives while a
 * process computes for so many planner units before it begins: that is in the
 * page cache then (starscan/exec/meanwhile.c).  With a profile.
 */
extern SsdparReads ssdpar_reads_after_keys(const SsdparStarTable *table,
										   const SsdparCandidate *candidate,
										   Cost computing, SsdparReads reads);

/* What of a dimension's child, a Path, is computing: so much at least. */
extern Cost ssdpar_child_computing(const Path *path);

#endif							/* SSDPAR_PLAN_OVERLAP_H */
