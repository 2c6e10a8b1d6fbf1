/*
 * bitmap.h
 *		A star scan's bitmap access, first half: which pages of the fact have
 *		rows of the keys collected.
 */
#ifndef SSDPAR_STAR_BITMAP_H
#define SSDPAR_STAR_BITMAP_H

#include "utils/snapshot.h"

#include "starscan/exec/lookup_keys.h"
#include "starscan/exec/participants.h"
#include "starscan/exec/result.h"
#include "starscan/star_plan.h"

/*
 * Ask the fact's indexes for keys, one entry a reducer, and put the pages into
 * data.  Says in the result whether there is a bitmap: not if no index can be
 * asked, there is no memory for the pages, or there are too many of them.
 * participant is NULL where one
 * process does it alone.  In the current memory context.
 */
extern void ssdpar_build_bitmap(const SsdparStarPlan *plan, Relation fact,
								Snapshot snapshot,
								const SsdparLookupKeys *keys,
								const SsdparParticipant *participant,
								SsdparStarData *data);

#endif							/* SSDPAR_STAR_BITMAP_H */
