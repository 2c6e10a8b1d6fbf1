/*
 * heap_pages.h
 *		Pages of a table in an order of the caller's, read at the device's
 *		depth, and the rows on them that a snapshot sees.
 */
#ifndef SSDPAR_SAMPLE_HEAP_PAGES_H
#define SSDPAR_SAMPLE_HEAP_PAGES_H

#include "access/htup.h"
#include "storage/buf.h"

#include "sample/sampler.h"

typedef struct SsdparSamplePages SsdparSamplePages;

/* All pages, in the order in which they are going to be read. */
extern SsdparSamplePages *ssdpar_sample_pages_open(SsdparSampler *sampler,
												   SsdparSampleTable *table,
												   const BlockNumber *blocks,
												   int nblocks, bool ring);

/* The next page, pinned until the one after it; false after the last one. */
extern bool ssdpar_sample_pages_next(SsdparSamplePages *pages);

/* The offsets of its visible rows, into room for MaxHeapTuplesPerPage. */
extern int	ssdpar_sample_pages_rows(SsdparSamplePages *pages,
									 OffsetNumber *rows);

/* The visible one of the row versions that an index names; false: none. */
extern bool ssdpar_sample_pages_find(SsdparSamplePages *pages,
									 OffsetNumber *offset);

/* Put the row at this offset of the page into the table's slot. */
extern void ssdpar_sample_pages_store(SsdparSamplePages *pages,
									  OffsetNumber offset);

/*
 * Is the time up, after a row that has values out of line, which the table's
 * filter may have fetched?
 */
extern bool ssdpar_sample_pages_row_is_late(SsdparSamplePages *pages);

extern void ssdpar_sample_pages_close(SsdparSamplePages *pages);

/*
 * Is a value, which is not NULL, stored out of line?  To fetch it reads pages
 * that the budget does not know of.
 */
extern bool ssdpar_sample_is_out_of_line(Form_pg_attribute attribute,
										 Datum value);

/* Keep what joins need of the row in the table's slot. */
extern SsdparSampleRow *ssdpar_sample_keep_row(SsdparSampler *sampler,
											   SsdparSampleTable *table);

#endif							/* SSDPAR_SAMPLE_HEAP_PAGES_H */
