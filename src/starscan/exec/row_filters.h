/*
 * row_filters.h
 *		The tests that the fact's rows must pass, in the cheapest order.
 *
 * A row meets them in two places.  The page filters see it as the page holds
 * it, with all others of the page, before a tuple is made of it; the others see
 * it in a slot, after the node's own filter.  A row that either refuses matches
 * no key, or does not pass the node's own filter.
 */
#ifndef SSDPAR_ROW_FILTERS_H
#define SSDPAR_ROW_FILTERS_H

#include "executor/tuptable.h"

#include "starscan/exec/page_filters.h"
#include "starscan/exec/result.h"
#include "starscan/star_plan.h"

typedef struct SsdparRowFilters SsdparRowFilters;

/*
 * Filters by the key sets in data, for rows of ss's relation, in the current
 * memory context; counts has one entry a reducer.  Every row is shown to the
 * page filters first; ranges is what the node's filter leaves to columns
 * (column_ranges.h).  skip_exact leaves out what a bitmap has made sure of.
 */
extern SsdparRowFilters *ssdpar_row_filters_create(const SsdparStarPlan *plan,
												   const SsdparStarData *data,
												   ScanState *ss, List *ranges,
												   bool skip_exact,
												   SsdparFilterCount *counts);

/* Those for the rows of a page. */
extern SsdparPageFilters *
			ssdpar_row_filters_of_page(SsdparRowFilters *filters);

/* The others: what they allocate goes to the current memory context. */
extern bool ssdpar_row_filters_pass(SsdparRowFilters *filters,
									TupleTableSlot *slot);

/* Add what has not been counted yet; the filters can still be used. */
extern void ssdpar_row_filters_flush(SsdparRowFilters *filters);

#endif							/* SSDPAR_ROW_FILTERS_H */
