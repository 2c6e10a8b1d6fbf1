/*
 * local_read.h
 *		Makes the kernel read adjacent pages of a relation ahead in one
 *		request, from this process.
 *
 * PostgreSQL 17 and later can do this.  Before that the server requests page
 * by page and the device gets a request for each, so a descriptor is needed
 * here.
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
	File		file;			/* an open segment of the fork, or 0 */
	BlockNumber segment;		/* its number */
} SsdparLocalRead;

/* rel must stay open and locked until the end. */
extern void ssdpar_local_read_begin(SsdparLocalRead *local, Relation rel,
									ForkNumber fork);

/* Requests count adjacent pages in one segment; never fails, never waits. */
extern void ssdpar_local_read_ahead(SsdparLocalRead *local, BlockNumber block,
									uint32 count);

/* Can be called repeatedly, and during abort of a transaction. */
extern void ssdpar_local_read_end(SsdparLocalRead *local);

#endif							/* SSDPAR_LOCAL_READ_H */
