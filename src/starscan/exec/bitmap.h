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

typedef struct SsdparBitmapBuilder SsdparBitmapBuilder;

/*
 * Begin to ask the fact's indexes for keys, both one entry a reducer.
 * participant is NULL where one process does it alone.  The builder and what
 * it needs lie in the current memory context; what it is given has to stay.
 */
extern SsdparBitmapBuilder *
			ssdpar_bitmap_builder_create(const SsdparStarPlan *plan,
										 Relation fact,
										 const Relation *indexes,
										 Snapshot snapshot,
										 const SsdparLookupKeys *keys,
										 const SsdparParticipant *participant,
										 SsdparStarData *data);

/*
 * Reads the indexes, in the same memory context.  The result then says whether
 * there is a bitmap: not if no index can be asked, there is no memory for the
 * pages, or there are too many of them.
 */
extern void ssdpar_bitmap_builder_run(SsdparBitmapBuilder *builder);

#endif							/* SSDPAR_STAR_BITMAP_H */
