/*
 * index_ahead.h
 *		Reads ahead of one of core's index scans: the table pages that the
 *		next entries refer to, and the next leaf.
 *
 * The caller, which runs the scan, reports when it is about to fetch a row and
 * when it has fetched one; the scan itself is only inspected.  Nothing waits,
 * and nothing here can make the scan fail.
 */
#ifndef SSDPAR_INDEX_AHEAD_H
#define SSDPAR_INDEX_AHEAD_H

#include "nodes/execnodes.h"

typedef struct SsdparIndexAhead SsdparIndexAhead;

/*
 * Do the settings, the index and the table allow it?  It must be a btree scan
 * that may find several rows, of a heap that is read through the OS page
 * cache.
 */
extern bool ssdpar_index_ahead_possible(const IndexScanState * node);

/*
 * Creates the state for this scan, which must be possible, in the current
 * memory context, which is the query's.  limit applies to exactly the rows of
 * this scan, or is NULL.  Requests nothing yet.
 */
extern SsdparIndexAhead *ssdpar_index_ahead_open(IndexScanState * node,
												 const LimitState * limit);

/* For a scan without a filter: the executor is about to fetch a row. */
extern void ssdpar_index_ahead_before(SsdparIndexAhead *ahead);

/*
 * A row has been fetched; returned tells whether it has passed the filter, if
 * any.  Returns true if the next row should be inspected as well, false if it
 * is enough to do so some milliseconds later.
 */
extern bool ssdpar_index_ahead_after(SsdparIndexAhead *ahead, bool returned);

/* Requests of this process so far, including rescans. */
typedef struct SsdparIndexAsked
{
	uint64		pages;			/* table pages not in shared buffers */
	uint64		leaves;
	uint32		distance;		/* maximum number of table pages ahead */
} SsdparIndexAsked;

extern SsdparIndexAsked ssdpar_index_ahead_asked(const SsdparIndexAhead *ahead);

#endif							/* SSDPAR_INDEX_AHEAD_H */
