/*
 * break_even.h
 *		Determines when the executor should abandon a bitmap.
 */
#ifndef SSDPAR_PLAN_BREAK_EVEN_H
#define SSDPAR_PLAN_BREAK_EVEN_H

#include "starscan/plan/candidate.h"

/*
 * The cost of one more page in a bitmap candidate, and the number of pages
 * above which reading the whole table costs less.  Both are 0 if they cannot
 * be computed or the user has chosen the access.  The latter is also 0 if the
 * bitmap is always cheaper.
 */
extern void ssdpar_break_even(const SsdparStarTable *table,
							  const SsdparCandidate *candidate,
							  Cost *page_cost, double *most_pages);

#endif							/* SSDPAR_PLAN_BREAK_EVEN_H */
