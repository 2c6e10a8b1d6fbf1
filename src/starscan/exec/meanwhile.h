/*
 * meanwhile.h
 *		What is asked for while a star scan collects its keys: the dimensions
 *		to come, and the beginning of a fact that is read in sequence.
 */
#ifndef SSDPAR_STAR_MEANWHILE_H
#define SSDPAR_STAR_MEANWHILE_H

#include "starscan/exec/collect_keys.h"

/*
 * For keys that are about to be collected into data, in the current memory
 * context; NULL if there is nothing to ask for.  fact: its pages are wanted as
 * well if the plan says so; NULL: they are not, whatever it says.  What was
 * asked for is counted in the result.
 */
extern SsdparEarlyRead *ssdpar_star_meanwhile(const SsdparStarPlan *plan,
											  const SsdparStarChild *children,
											  Relation fact,
											  SsdparStarData *data);

#endif							/* SSDPAR_STAR_MEANWHILE_H */
