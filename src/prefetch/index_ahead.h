/*
 * index_ahead.h
 *		Reads ahead of an index scan of core's: the pages of the table that the
 *		next entries point to, and the next leaf.
 *
 * Whoever runs the scan says when it is about to fetch a row and when it has
 * one; the scan itself is only looked at.  Nothing waits, and nothing here can
 * make the scan fail.
 */
#ifndef SSDPAR_INDEX_AHEAD_H
#define SSDPAR_INDEX_AHEAD_H

#include "nodes/execnodes.h"

typedef struct SsdparIndexAhead SsdparIndexAhead;

/*
 * By the settings, the index and the table: is it a btree's scan, of a heap
 * whose pages come through the OS page cache, that may find several rows?
 */
extern bool ssdpar_index_ahead_possible(const IndexScanState * node);

/*
 * What is read ahead of this scan, which is possible, in the current memory
 * context, the query's.  limit takes the rows of the scan and no others, or is
 * NULL.  Asks for nothing yet.
 */
extern SsdparIndexAhead *ssdpar_index_ahead_open(IndexScanState * node,
												 const LimitState * limit);

/*
 * Of a scan without a filter: the executor is about to fetch a row, the first
 * or another.
 */
extern void ssdpar_index_ahead_before(SsdparIndexAhead *ahead);

/*
 * A row has been fetched; returned: it has passed the filter, if there is one.
 * True if the next row should be looked at as well, false if a look some
 * milliseconds later is enough.
 */
extern bool ssdpar_index_ahead_after(SsdparIndexAhead *ahead, bool returned);

/* What this process has asked for so far, rescans included. */
typedef struct SsdparIndexAsked
{
	uint64		pages;			/* of the table, not in shared buffers */
	uint64		leaves;
	uint32		distance;		/* pages of the table ahead, at most */
} SsdparIndexAsked;

extern SsdparIndexAsked ssdpar_index_ahead_asked(const SsdparIndexAhead *ahead);

#endif							/* SSDPAR_INDEX_AHEAD_H */
