/*
 * star_ahead.h
 *		Hands out the pages of a bitmap in block order, each having been asked
 *		for before it is needed.
 */
#ifndef SSDPAR_STAR_AHEAD_H
#define SSDPAR_STAR_AHEAD_H

#include "storage/buf.h"

#include "starscan/star_state.h"

typedef struct SsdparStarAhead SsdparStarAhead;

/* In the current memory context. */
extern SsdparStarAhead *ssdpar_star_ahead_begin(SsdparStarState *state);

/*
 * The next page of this process, pinned, and its number in the bitmap;
 * InvalidBuffer after the last one.  The caller unpins it.
 */
extern Buffer ssdpar_star_ahead_next(SsdparStarAhead *ahead, uint32 *number);

/* Who reads ahead, for EXPLAIN. */
extern const char *ssdpar_star_ahead_method(Relation rel);

extern void ssdpar_star_ahead_end(SsdparStarAhead *ahead);

#endif							/* SSDPAR_STAR_AHEAD_H */
