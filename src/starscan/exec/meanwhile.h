/*
 * meanwhile.h
 *		Requests pages from the device while a star scan collects its keys:
 *		the remaining dimensions and the beginning of a fact that is scanned
 *		sequentially.
 */
#ifndef SSDPAR_STAR_MEANWHILE_H
#define SSDPAR_STAR_MEANWHILE_H

#include "starscan/exec/collect_keys.h"

/*
 * Starts early reads for keys that are about to be collected into data, in the
 * current memory context; returns NULL if there is nothing to request.  If
 * fact is not NULL, its pages are requested if the plan wants that.  The
 * result counts the requested pages.
 */
extern SsdparEarlyRead *ssdpar_star_meanwhile(const SsdparStarPlan *plan,
											  const SsdparStarChild *children,
											  Relation fact,
											  SsdparStarData *data);

#endif							/* SSDPAR_STAR_MEANWHILE_H */
