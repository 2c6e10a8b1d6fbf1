/*
 * break_even.h
 *		When the executor is to give up a bitmap.
 */
#ifndef SSDPAR_PLAN_BREAK_EVEN_H
#define SSDPAR_PLAN_BREAK_EVEN_H

#include "starscan/plan/candidate.h"

/*
 * What a page more costs the candidate, by bitmap, and from how many pages on
 * reading the whole table costs less.  Both 0 where there is nothing to go by,
 * or the user has chosen the access; the latter, too, where it never does.
 */
extern void ssdpar_break_even(const SsdparStarTable *table,
							  const SsdparCandidate *candidate,
							  Cost *page_cost, double *most_pages);

#endif							/* SSDPAR_PLAN_BREAK_EVEN_H */
