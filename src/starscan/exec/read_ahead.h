/*
 * read_ahead.h
 *		Returns the pages of a bitmap in block order, each requested in
 *		advance.
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
 * Starts reading pages of rel, in the current memory context.  allocator
 * divides them among processes; if it is NULL, this process reads them all.
 * They are read through ring or, if that is NULL and there are many pages,
 * through a new one.
 */
extern SsdparReadAhead *ssdpar_read_ahead_begin(Relation rel,
												const SsdparTidPages *pages,
												SsdparPageAllocator *allocator,
												SsdparRing *ring,
												SsdparReadCounters *counters);

/*
 * Returns the next page of this process, pinned, and its number in the list;
 * InvalidBuffer after the last one.  The caller unpins it.
 */
extern Buffer ssdpar_read_ahead_next(SsdparReadAhead *ahead, uint32 *number);

extern void ssdpar_read_ahead_end(SsdparReadAhead *ahead);

/* Returns the name of the read-ahead method, for EXPLAIN. */
extern const char *ssdpar_read_ahead_method(Relation rel);

#endif							/* SSDPAR_READ_AHEAD_H */
