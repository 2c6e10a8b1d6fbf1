/*
 * repeat.h
 *		What a star scan that is run again need not find out again.
 */
#ifndef SSDPAR_STAR_REPEAT_H
#define SSDPAR_STAR_REPEAT_H

#include "starscan/exec/collect_keys.h"

/* Set which reducers' keys no parameter can change. */
extern void ssdpar_star_find_constant(const SsdparStarPlan *plan,
									  const SsdparStarChild *children,
									  SsdparStarData *data);

/*
 * Will it be run again with other keys of some of the indexes, and the same of
 * others?  What these say is worth keeping then: the indexes of which
 * reducers.
 */
extern bool ssdpar_star_is_repeated(const SsdparStarPlan *plan,
									const SsdparStarData *data);
extern bool ssdpar_star_keeps_index(const SsdparStarPlan *plan,
									const SsdparStarData *data, int n);

/*
 * Forget what a parameter may have changed, so that preparing finds out just
 * that; false, with nothing forgotten, if all has to be found out anew.
 */
extern bool ssdpar_star_forget_variable(const SsdparStarPlan *plan,
										SsdparStarData *data);

#endif							/* SSDPAR_STAR_REPEAT_H */
