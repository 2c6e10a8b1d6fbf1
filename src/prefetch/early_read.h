/*
 * early_read.h
 *		Asks for the beginnings of tables that are going to be read in
 *		sequence, a bit at a time, while something else is done first.
 *
 * Nothing waits for what was asked for, nothing is pinned, and nobody has to
 * come for it.
 */
#ifndef SSDPAR_EARLY_READ_H
#define SSDPAR_EARLY_READ_H

#include "storage/block.h"
#include "utils/relcache.h"

/* Chunks (chunks.h) outstanding to begin with, and beside other reads. */
#define SSDPAR_EARLY_CHUNKS 4

typedef struct SsdparEarlyRead SsdparEarlyRead;

/* In the current memory context; of at most so many tables. */
extern SsdparEarlyRead *ssdpar_early_read_begin(int tables);

/*
 * After those that were added before: of rel, which has nblocks and stays open
 * and locked until the end, from block start on and round its end, as much as
 * ssdpar.prefetch_window, or so many pages if these are more.  For *asked see
 * ssdpar_early_read_end().
 */
extern void ssdpar_early_read_add(SsdparEarlyRead *early, Relation rel,
								  BlockNumber start, BlockNumber nblocks,
								  double pages, uint64 *asked);

/*
 * Something has been done meanwhile: ask for more if there is room.  To be
 * called at least once a millisecond or so; a system call each time.  NULL,
 * here and below: there is nothing to ask for.
 */
extern void ssdpar_early_read_go_on(SsdparEarlyRead *early);

/*
 * Before the transaction ends; without an error in between.  *asked of each
 * table has got the pages that were asked for.
 */
extern void ssdpar_early_read_end(SsdparEarlyRead *early);

#endif							/* SSDPAR_EARLY_READ_H */
