/*
 * page_list.h
 *		Reads an exact list of a relation's pages ahead of the node that needs
 *		them.
 *
 * The node adds pages in the order in which it is going to read them, in
 * batches as it learns of them, and says how many it has read.  In between the
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
	SSDPAR_PAGES_NONE,			/* count, but read nothing ahead */
	SSDPAR_PAGES_LOCAL,			/* the server's own read-ahead (fadvise) */
	SSDPAR_PAGES_DAEMON,		/* ssdpard; without it the same */
} SsdparPageMethod;

typedef struct SsdparPageList SsdparPageList;

/*
 * What ssdpar.prefetch and the relation's storage say.  auto is local: over
 * 4,000 random pages of a cold table it took 54 ms at depth 32 and 44 ms at
 * 128, the daemon 76 and 60, nothing 168 and more (medians of 7, interleaved,
 * on a machine so busy that single runs differed by half; the order was the
 * same in every set).  The daemon's worth is that it bounds what all sessions
 * ask of the device in sum.
 */
extern SsdparPageMethod ssdpar_page_method(Relation rel);

/*
 * Requests to keep ahead in rel: ssdpar.io_concurrency, or the profile's
 * saturation depth, or a default; 1 to 1024.
 */
extern int	ssdpar_page_depth(Relation rel);

/*
 * A list for one fork of rel, in the current memory context; it ends with
 * that context if it is not closed before.  rel stays open and locked as long
 * as the list lives.  depth is the number of requests to keep ahead, 1 to
 * 1024; 0 takes ssdpar.io_concurrency or the device profile.
 */
extern SsdparPageList *ssdpar_page_list_open(Relation rel, ForkNumber fork,
											 SsdparPageMethod method,
											 int depth);

/*
 * Append pages, those in shared buffers too: nothing is asked for them.
 * Neighbours that follow one another in the list become one request of up to
 * 256 kB.
 */
extern void ssdpar_page_list_add(SsdparPageList *list,
								 const BlockNumber *blocks, int nblocks);

/*
 * pages of the list have been read, or given up, in all.  Cheap enough to be
 * said for each page.
 */
extern void ssdpar_page_list_advance(SsdparPageList *list, uint64 pages);

/*
 * Are all of these in shared buffers?  A look at each up to the first that is
 * not; rel is no temporary table.
 */
extern bool ssdpar_pages_are_buffered(Relation rel, ForkNumber fork,
									  const BlockNumber *blocks, int nblocks);

/* Pages that were asked for so far. */
extern uint64 ssdpar_page_list_asked(const SsdparPageList *list);

/* Requests that are open now. */
extern int	ssdpar_page_list_open_requests(const SsdparPageList *list);

/* The most requests that were open at a time. */
extern int	ssdpar_page_list_deepest(const SsdparPageList *list);

extern void ssdpar_page_list_close(SsdparPageList *list);

#endif							/* SSDPAR_PAGE_LIST_H */
