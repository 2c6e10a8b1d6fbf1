/*
 * page_filters.h
 *		Tests that are applied to all rows of a page at once, in the page's
 *		format, before a tuple is created for any of them.
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
 * For at most nfilters filters of ss's rows, which are described by row, in
 * the current memory context.  Rows dropped by ranges count as dropped by the
 * node's qual.
 */
extern SsdparPageFilters *ssdpar_page_filters_create(TupleDesc row,
													 ScanState *ss,
													 int nfilters);

/*
 * Adds a filter and returns true if its column is at the same offset in every
 * row without NULLs and is physically an integer.
 */
extern bool ssdpar_page_filters_add_keys(SsdparPageFilters *filters,
										 const SsdparReducer *reducer,
										 const SsdparKeySet *set,
										 SsdparFilterCount *count);
extern bool ssdpar_page_filters_add_range(SsdparPageFilters *filters,
										  const SsdparColumnRange *range);

/*
 * Which rows of a pinned page pass all filters?  rows has their offsets; all
 * of them are visible.  passing gets the indexes in rows of those that pass,
 * in ascending order.  Returns their number.
 */
extern int	ssdpar_page_filters_pass(SsdparPageFilters *filters, Page page,
									 const OffsetNumber *rows, int nrows,
									 uint16 *passing);

/* Adds the counts not added yet; the filters remain usable. */
extern void ssdpar_page_filters_flush(SsdparPageFilters *filters);

#endif							/* SSDPAR_PAGE_FILTERS_H */
