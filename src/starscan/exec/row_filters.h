/*
 * row_filters.h
 *		The tests that the fact's rows must pass, in the cheapest order.
 *
 * They are applied in two steps.  The page filters process all rows of a page
 * in the page's format, before tuples are created.  The others process a row
 * in a slot, after the node's qual.  A row rejected by either of them has no
 * matching key, or does not satisfy the node's qual.
 */
#ifndef SSDPAR_ROW_FILTERS_H
#define SSDPAR_ROW_FILTERS_H

#include "executor/tuptable.h"

#include "starscan/exec/page_filters.h"
#include "starscan/exec/result.h"
#include "starscan/star_plan.h"

typedef struct SsdparRowFilters SsdparRowFilters;

/*
 * Creates filters from the key sets in data, for rows of ss's relation, in the
 * current memory context; counts has one entry per reducer.  Every row must be
 * passed to the page filters first.  ranges are the ranges that the node's
 * qual allows for columns (column_ranges.h).  skip_exact omits tests that a
 * bitmap has already guaranteed.
 */
extern SsdparRowFilters *ssdpar_row_filters_create(const SsdparStarPlan *plan,
												   const SsdparStarData *data,
												   ScanState *ss, List *ranges,
												   bool skip_exact,
												   SsdparFilterCount *counts);

/* Returns the filters for the rows of a page. */
extern SsdparPageFilters *
			ssdpar_row_filters_of_page(SsdparRowFilters *filters);

/* Applies the others, which allocate in the current memory context. */
extern bool ssdpar_row_filters_pass(SsdparRowFilters *filters,
									TupleTableSlot *slot);

/* Adds the counts not added yet; the filters remain usable. */
extern void ssdpar_row_filters_flush(SsdparRowFilters *filters);

#endif							/* SSDPAR_ROW_FILTERS_H */
