/*
 * local_read.h
 *		Has the kernel read neighbouring pages of a relation ahead, in one
 *		request, from this process.
 *
 * PostgreSQL 17 and later can do so by themselves.  Before that the server
 * asks page by page, and the device gets a request for each: that is what the
 * file here is for.
 */
#ifndef SSDPAR_LOCAL_READ_H
#define SSDPAR_LOCAL_READ_H

#include "common/relpath.h"
#include "storage/block.h"
#include "storage/fd.h"
#include "utils/relcache.h"

typedef struct SsdparLocalRead
{
	Relation	rel;
	ForkNumber	fork;
	File		file;			/* a segment of the fork; 0: none open */
	BlockNumber segment;		/* its number */
} SsdparLocalRead;

/* rel stays open and locked until the end. */
extern void ssdpar_local_read_begin(SsdparLocalRead *local, Relation rel,
									ForkNumber fork);

/* count pages from block on, all in one segment; never fails, never waits. */
extern void ssdpar_local_read_ahead(SsdparLocalRead *local, BlockNumber block,
									uint32 count);

/* Can be called more than once, also while a transaction aborts. */
extern void ssdpar_local_read_end(SsdparLocalRead *local);

#endif							/* SSDPAR_LOCAL_READ_H */
