/*
 * visible_rows.h
 *		Finds the rows of a page of the fact that a snapshot sees.
 */
#ifndef SSDPAR_VISIBLE_ROWS_H
#define SSDPAR_VISIBLE_ROWS_H

#include "storage/buf.h"
#include "storage/off.h"
#include "utils/rel.h"
#include "utils/snapshot.h"

/*
 * Stores the offsets of the page's visible rows in rows, ascending, and
 * returns their number, at most MaxHeapTuplesPerPage.  The page must be a
 * pinned heap page and the snapshot an MVCC snapshot.
 */
extern int	ssdpar_visible_rows(Relation rel, Snapshot snapshot,
								Buffer buffer, OffsetNumber *rows);

/*
 * Considers only nnamed rows, named in ascending order, and their HOT
 * successors.
 */
extern int	ssdpar_visible_rows_named(Relation rel, Snapshot snapshot,
									  Buffer buffer,
									  const OffsetNumber *named, int nnamed,
									  OffsetNumber *rows);

#endif							/* SSDPAR_VISIBLE_ROWS_H */
