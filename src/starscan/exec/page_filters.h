/*
 * page_filters.h
 *		The tests of a fact's rows that are run on all rows of a page at once,
 *		as the page holds them, before a tuple is made of any.
 */
#ifndef SSDPAR_PAGE_FILTERS_H
#define SSDPAR_PAGE_FILTERS_H

#include "access/tupdesc.h"
#include "nodes/execnodes.h"
#include "storage/bufpage.h"

#include "starscan/exec/column_ranges.h"
#include "starscan/exec/counters.h"
#include "starscan/star_plan.h"
#include "keys/key_set.h"

typedef struct SsdparPageFilters SsdparPageFilters;

/*
 * For at most so many filters of ss's rows, which are such as row, in the
 * current memory context.  Rows that ranges drop count as dropped by the
 * node's own filter.
 */
extern SsdparPageFilters *ssdpar_page_filters_create(TupleDesc row,
													 ScanState *ss,
													 int nfilters);

/*
 * Add a filter, if its column lies at the same place in every row without
 * NULLs and is an integer underneath; else false.
 */
extern bool ssdpar_page_filters_add_keys(SsdparPageFilters *filters,
										 const SsdparReducer *reducer,
										 const SsdparKeySet *set,
										 SsdparFilterCount *count);
extern bool ssdpar_page_filters_add_range(SsdparPageFilters *filters,
										  const SsdparColumnRange *range);

/*
 * Which rows of a pinned page pass all filters?  rows has their offsets, all
 * of them visible; passing gets the numbers, among rows, of those that do,
 * ascending.  Returns how many these are.
 */
extern int	ssdpar_page_filters_pass(SsdparPageFilters *filters, Page page,
									 const OffsetNumber *rows, int nrows,
									 uint16 *passing);

/* Add what has not been counted yet; the filters can still be used. */
extern void ssdpar_page_filters_flush(SsdparPageFilters *filters);

#endif							/* SSDPAR_PAGE_FILTERS_H */
