/*
 * read_ahead.h
 *		Hands out the pages of a bitmap in block order, each having been asked
 *		for before it is needed.
 */
#ifndef SSDPAR_READ_AHEAD_H
#define SSDPAR_READ_AHEAD_H

#include "storage/buf.h"
#include "utils/relcache.h"

#include "starscan/exec/counters.h"
#include "starscan/exec/page_allocator.h"
#include "starscan/exec/ring.h"
#include "tids/tid_pages.h"

typedef struct SsdparReadAhead SsdparReadAhead;

/*
 * For the pages of rel, in the current memory context.  allocator divides them
 * among processes; NULL: this one reads them all.  They go through ring if
 * there is one, and through one of their own if they are many.
 */
extern SsdparReadAhead *ssdpar_read_ahead_begin(Relation rel,
												const SsdparTidPages *pages,
												SsdparPageAllocator *allocator,
												SsdparRing *ring,
												SsdparReadCounters *counters);

/*
 * The next page of this process, pinned, and its number in the list;
 * InvalidBuffer after the last one.  The caller unpins it.
 */
extern Buffer ssdpar_read_ahead_next(SsdparReadAhead *ahead, uint32 *number);

extern void ssdpar_read_ahead_end(SsdparReadAhead *ahead);

/* What reads ahead, for EXPLAIN. */
extern const char *ssdpar_read_ahead_method(Relation rel);

#endif							/* SSDPAR_READ_AHEAD_H */
