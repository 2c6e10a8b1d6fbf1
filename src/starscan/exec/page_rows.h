/*
 * page_rows.h
 *		Returns the rows of one page of the fact that pass the page filters.
 */
#ifndef SSDPAR_PAGE_ROWS_H
#define SSDPAR_PAGE_ROWS_H

#include "access/htup.h"
#include "executor/tuptable.h"
#include "storage/bufpage.h"
#include "utils/rel.h"

#include "starscan/exec/page_filters.h"

/*
 * Invariant: if buffer is valid, rows, which the owner allocates, holds the
 * offsets of the page's nrows visible rows.  passing holds the numbers of
 * those rows that passed the filters; the first next of them have been
 * returned, and rows below number seen have been passed over.  The owner keeps
 * the page pinned.
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
	HeapTupleData tuple;		/* the slot refers to it */
	uint16		passing[MaxHeapTuplesPerPage];
} SsdparPageRows;

/* Initializes page for pages of rel.  */
extern void ssdpar_page_rows_init(SsdparPageRows *page, Relation rel);

/* Starts a pinned page with these visible rows.  */
extern void ssdpar_page_rows_begin(SsdparPageRows *page,
								   SsdparPageFilters *filters, Buffer buffer,
								   BlockNumber block, const OffsetNumber *rows,
								   int nrows);

/*
 * Stores the next row in slot; returns false if there is none.  *passed_by is
 * set to the number of rows passed over since the last call, including this
 * one.
 */
extern bool ssdpar_page_rows_next(SsdparPageRows *page, TupleTableSlot *slot,
								  int *passed_by);

#endif							/* SSDPAR_PAGE_ROWS_H */
