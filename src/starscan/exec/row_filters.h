/*
 * row_filters.h
 *		The tests that the fact's rows must pass, in the cheapest order.
 *
 * A row meets them in two places.  The raw tuple filter sees it as the page
 * holds it, before a tuple is made of it; the others see it in a slot, after
 * the node's own filter.  A row that either refuses matches no key.
 */
#ifndef SSDPAR_ROW_FILTERS_H
#define SSDPAR_ROW_FILTERS_H

#include "access/htup_details.h"
#include "executor/tuptable.h"
#include "storage/bufpage.h"

#include "starscan/exec/counters.h"
#include "starscan/exec/result.h"
#include "starscan/star_plan.h"

typedef struct SsdparRowFilters SsdparRowFilters;

/*
 * Filters by the key sets in data, for rows such as row, in the current memory
 * context; counts has one entry a reducer.  raw promises that every row is
 * shown to the raw tuple filter first, skip_exact leaves out what a bitmap has
 * made sure of.
 */
extern SsdparRowFilters *ssdpar_row_filters_create(const SsdparStarPlan *plan,
												   const SsdparStarData *data,
												   TupleDesc row, bool raw,
												   bool skip_exact,
												   SsdparFilterCount *counts);

/* The raw tuple filter: may the row match? */
extern bool ssdpar_row_filters_raw(SsdparRowFilters *filters,
								   HeapTupleHeader header);

/*
 * The raw tuple filter for the rows of a page, whose offsets are given, from
 * number next on: the number of the first that it does not refuse, nrows if
 * there is none.
 */
extern int	ssdpar_row_filters_skip(SsdparRowFilters *filters, Page page,
									const OffsetNumber *rows, int next,
									int nrows);

/* The others: what they allocate goes to the current memory context. */
extern bool ssdpar_row_filters_pass(SsdparRowFilters *filters,
									TupleTableSlot *slot);

/* Add what has not been counted yet; the filters can still be used. */
extern void ssdpar_row_filters_flush(SsdparRowFilters *filters);

#endif							/* SSDPAR_ROW_FILTERS_H */
