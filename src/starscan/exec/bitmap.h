/*
 * bitmap.h
 *		Bitmap access of a star scan, first half: finds the pages of the fact
 *		that have rows for the collected keys.
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
 * Starts to look up keys in the fact's indexes.  keys and indexes have one
 * entry for each reducer.  participant is NULL if one process does all the
 * work.  The builder is allocated in the current memory context, and all
 * arguments must stay valid until it ends.
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
 * Reads the indexes, in the same memory context.  The result then tells whether
 * there is a bitmap.  There is none if no index can be read, if there is no
 * memory for the pages, or if there are too many of them.
 */
extern void ssdpar_bitmap_builder_run(SsdparBitmapBuilder *builder);

#endif							/* SSDPAR_STAR_BITMAP_H */
