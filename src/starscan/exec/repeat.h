/*
 * repeat.h
 *		Avoids repeated work when a star scan is run again.
 */
#ifndef SSDPAR_STAR_REPEAT_H
#define SSDPAR_STAR_REPEAT_H

#include "starscan/exec/collect_keys.h"

/* Determines which reducers' keys do not depend on parameters.  */
extern void ssdpar_star_find_constant(const SsdparStarPlan *plan,
									  const SsdparStarChild *children,
									  SsdparStarData *data);

/*
 * Will later runs have new keys for some indexes and the same keys for others?
 * If so, the result of the latter is kept; ssdpar_star_keeps_index tells for
 * which reducers.
 */
extern bool ssdpar_star_is_repeated(const SsdparStarPlan *plan,
									const SsdparStarData *data);
extern bool ssdpar_star_keeps_index(const SsdparStarPlan *plan,
									const SsdparStarData *data, int n);

/*
 * Forgets what a parameter may have changed, so that the preparation finds out
 * only that.  Returns false, having forgotten nothing, if everything has to be
 * redone.
 */
extern bool ssdpar_star_forget_variable(const SsdparStarPlan *plan,
										SsdparStarData *data);

#endif							/* SSDPAR_STAR_REPEAT_H */
