/*
 * early_read.h
 *		Requests the beginnings of tables that will be read sequentially,
 *		little by little while other work is done first.
 *
 * Nothing waits for the requested pages, nothing is pinned, and the pages need
 * not be used.
 */
#ifndef SSDPAR_EARLY_READ_H
#define SSDPAR_EARLY_READ_H

#include "storage/block.h"
#include "utils/relcache.h"

/* Chunks (chunks.h) outstanding at first, and while other reads occur. */
#define SSDPAR_EARLY_CHUNKS 4

typedef struct SsdparEarlyRead SsdparEarlyRead;

/* Creates it in the current memory context, for at most that many tables. */
extern SsdparEarlyRead *ssdpar_early_read_begin(int tables);

/*
 * Appends rel, which has nblocks and stays open and locked until the end.
 * Requests start at block start and wrap around the table's end.  Their total
 * is ssdpar.prefetch_window, or the given number of pages if that is more.
 * For *asked see ssdpar_early_read_end().
 */
extern void ssdpar_early_read_add(SsdparEarlyRead *early, Relation rel,
								  BlockNumber start, BlockNumber nblocks,
								  double pages, uint64 *asked);

/*
 * Called while other work is done: requests more if there is room.  To be
 * called at least about once a millisecond; makes one system call each time.
 * Here and below, early may be NULL if there is nothing to request.
 */
extern void ssdpar_early_read_go_on(SsdparEarlyRead *early);

/*
 * To be called before the transaction ends unless there is an error.  Sets
 * *asked of each table to the number of pages requested.
 */
extern void ssdpar_early_read_end(SsdparEarlyRead *early);

#endif							/* SSDPAR_EARLY_READ_H */
