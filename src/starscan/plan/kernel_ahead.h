/*
 * kernel_ahead.h
 *		Decides who reads ahead for a sequential scan of a fact.
 */
#ifndef SSDPAR_KERNEL_AHEAD_H
#define SSDPAR_KERNEL_AHEAD_H

#include "starscan/plan/candidate.h"

/* Should the kernel read ahead for the candidate's sequential scan? */
extern bool ssdpar_kernel_reads_ahead(const SsdparStarTable *table,
									  const SsdparCandidate *candidate);

#endif							/* SSDPAR_KERNEL_AHEAD_H */
