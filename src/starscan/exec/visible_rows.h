/*
 * visible_rows.h
 *		Which rows of a page of the fact a snapshot sees.
 */
#ifndef SSDPAR_VISIBLE_ROWS_H
#define SSDPAR_VISIBLE_ROWS_H

#include "storage/buf.h"
#include "storage/off.h"
#include "utils/rel.h"
#include "utils/snapshot.h"

/*
 * Put the offsets of the page's visible rows into rows, ascending; returns how
 * many they are, at most MaxHeapTuplesPerPage.  The page is pinned, of a heap,
 * the snapshot MVCC.
 */
extern int	ssdpar_visible_rows(Relation rel, Snapshot snapshot,
								Buffer buffer, OffsetNumber *rows);

/*
 * Of nnamed rows only, named ascending, and of what became of them by HOT
 * updates.
 */
extern int	ssdpar_visible_rows_named(Relation rel, Snapshot snapshot,
									  Buffer buffer,
									  const OffsetNumber *named, int nnamed,
									  OffsetNumber *rows);

#endif							/* SSDPAR_VISIBLE_ROWS_H */
