/*
 * page_rows.h
 *		The rows of one page of the fact that pass the page filters, one by one.
 */
#ifndef SSDPAR_PAGE_ROWS_H
#define SSDPAR_PAGE_ROWS_H

#include "access/htup.h"
#include "executor/tuptable.h"
#include "storage/bufpage.h"
#include "utils/rel.h"

#include "starscan/exec/page_filters.h"

/*
 * Invariant: with a page (buffer is valid) rows, whose memory is its owner's,
 * holds the offsets of its nrows visible rows, and passing the numbers among
 * them of those that passed, of which next have been handed out; rows before
 * number seen have been gone past.  The page stays pinned by its owner.
 */
typedef struct SsdparPageRows
{
	Buffer		buffer;
	BlockNumber block;
	const OffsetNumber *rows;
	int			nrows;
	int			seen;
	int			npassing;
	int			next;
	HeapTupleData tuple;		/* the slot points to it */
	uint16		passing[MaxHeapTuplesPerPage];
} SsdparPageRows;

/* Of rel's pages, without one yet. */
extern void ssdpar_page_rows_init(SsdparPageRows *page, Relation rel);

/* Begin a page, pinned, with these visible rows. */
extern void ssdpar_page_rows_begin(SsdparPageRows *page,
								   SsdparPageFilters *filters, Buffer buffer,
								   BlockNumber block, const OffsetNumber *rows,
								   int nrows);

/*
 * Put the next row into slot; false if there is none.  *passed_by gets the
 * number of rows that have been gone past since the last call, this one too.
 */
extern bool ssdpar_page_rows_next(SsdparPageRows *page, TupleTableSlot *slot,
								  int *passed_by);

#endif							/* SSDPAR_PAGE_ROWS_H */
