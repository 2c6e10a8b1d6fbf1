/*
 * page_list.h
 *		Reads an exact list of a relation's pages ahead of the node that
 *		needs them.
 *
 * The node adds pages in the order in which it is going to read them, in
 * batches as it finds them, and reports how many it has read.  Meanwhile the
 * list keeps up to depth requests ahead of it.  Nothing waits, and nothing
 * here can make the reads themselves fail.
 */
#ifndef SSDPAR_PAGE_LIST_H
#define SSDPAR_PAGE_LIST_H

#include "common/relpath.h"
#include "storage/block.h"
#include "utils/relcache.h"

typedef enum SsdparPageMethod
{
	SSDPAR_PAGES_NONE,			/* count, but do not read ahead */
	SSDPAR_PAGES_LOCAL,			/* the server's own read-ahead (fadvise) */
	SSDPAR_PAGES_DAEMON,		/* ssdpard, or LOCAL if it is not available */
} SsdparPageMethod;

typedef struct SsdparPageList SsdparPageList;

/*
 * Returns the method that ssdpar.prefetch and the relation's storage allow.
 * "auto" is local, because that is faster for a single query.  The advantage
 * of the daemon is that it limits the total requests of all sessions.
 */
extern SsdparPageMethod ssdpar_page_method(Relation rel);

/*
 * Number of requests to keep ahead in rel, 1 to 1024: ssdpar.io_concurrency,
 * the profile's saturation depth, or a default.
 */
extern int	ssdpar_page_depth(Relation rel);

/*
 * Creates a list for one fork of rel, in the current memory context; it ends
 * with that context unless closed before.  rel must stay open and locked as
 * long as the list exists.  depth is the number of requests to keep ahead, 1
 * to 1024; 0 uses ssdpar.io_concurrency or the device profile.
 */
extern SsdparPageList *ssdpar_page_list_open(Relation rel, ForkNumber fork,
											 SsdparPageMethod method,
											 int depth);

/*
 * Appends pages; those found in shared buffers are not requested.  Neighbors
 * that are adjacent in the list become one request of up to 256 kB.
 */
extern void ssdpar_page_list_add(SsdparPageList *list,
								 const BlockNumber *blocks, int nblocks);

/*
 * Reports the total number of pages that have been read or skipped.  Cheap
 * enough to be called for each page.
 */
extern void ssdpar_page_list_advance(SsdparPageList *list, uint64 pages);

/*
 * Are all of these in shared buffers?  Stops at the first one that is not.
 * rel must not be a temporary table.
 */
extern bool ssdpar_pages_are_buffered(Relation rel, ForkNumber fork,
									  const BlockNumber *blocks, int nblocks);

/* Number of open requests. */
extern int	ssdpar_page_list_open_requests(const SsdparPageList *list);

/* Maximum number of open requests so far. */
extern int	ssdpar_page_list_deepest(const SsdparPageList *list);

extern void ssdpar_page_list_close(SsdparPageList *list);

#endif							/* SSDPAR_PAGE_LIST_H */
