/*
 * kernel_ahead.h
 *		Who reads ahead of a fact that is scanned in sequence.
 */
#ifndef SSDPAR_KERNEL_AHEAD_H
#define SSDPAR_KERNEL_AHEAD_H

#include "starscan/plan/candidate.h"

/* Is the candidate's sequential scan left to the kernel's read-ahead? */
extern bool ssdpar_kernel_reads_ahead(const SsdparStarTable *table,
									  const SsdparCandidate *candidate);

#endif							/* SSDPAR_KERNEL_AHEAD_H */
