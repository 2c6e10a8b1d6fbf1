/*
 * btree_lookup.h
 *		Finds all row addresses that a btree has for a set of keys of its
 *		first columns, with many leaf pages requested from the device at once.
 *
 * The server's index scan reads one leaf after another.  This code reads the
 * inner pages first, finds out which leaves can contain any of the keys,
 * requests these ahead (page_list.h), and merges each leaf with the sorted
 * keys.
 *
 * The result is valid for an MVCC snapshot taken before the search began.  It
 * may include TIDs whose rows have been removed since.  No row visible to that
 * snapshot is missing, even if other sessions insert, split pages or vacuum.
 */
#ifndef SSDPAR_BTREE_LOOKUP_H
#define SSDPAR_BTREE_LOOKUP_H

#include "btree/btree_keys.h"
#include "prefetch/page_list.h"
#include "prefetch/read_timer.h"
#include "tids/tid_bitmap.h"
#include "utils/relcache.h"

typedef struct SsdparIndexCounts
{
	uint64		leaves;			/* leaf pages read */
	uint64		hits;			/* of these found in shared buffers */
	uint64		rows;			/* TIDs found */
	SsdparReadWaits waits;		/* for leaves */
	uint64		deepest;		/* maximum of concurrent leaf requests */
} SsdparIndexCounts;

/*
 * Adds all rows whose first index column is one of the keys to bitmap.  The
 * keys are sorted ascending, distinct integers, and the column has an
 * integer-like type (int2, int4, int8, date; key_code.h calls these exact).
 * The search can be canceled.  It adds to counts.  It counts rows in the
 * cumulative statistics; the caller counts the index scan.
 */
extern void ssdpar_index_rows_by_integer(Relation index, const int64 *keys,
										 uint64 nkeys,
										 SsdparPageMethod method, int depth,
										 SsdparTidBitmap *bitmap,
										 SsdparIndexCounts *counts);

/* The same with keys as Datums of the column's type, which may be any type. */
extern void ssdpar_index_rows_by_datum(Relation index, Datum *keys,
									   uint64 nkeys,
									   SsdparPageMethod method, int depth,
									   SsdparTidBitmap *bitmap,
									   SsdparIndexCounts *counts);

/* What the receiver of a key's rows wants next.  */
typedef enum SsdparIndexWish
{
	SSDPAR_INDEX_MORE,			/* continue */
	SSDPAR_INDEX_NEXT_KEY,		/* skip the rest of this key */
	SSDPAR_INDEX_ENOUGH,		/* stop */
} SsdparIndexWish;

/*
 * Callback that receives rows of one key, which is identified by its number in
 * the caller's array.  It is called repeatedly while there are more rows.
 * Leaves whose keys have all been skipped are not read.  A row can be passed
 * twice if pages are split concurrently.  tuples are index tuples, valid until
 * the callback returns, or NULL if they were not requested.  The rows' leaf is
 * pinned, and no page is locked.
 */
typedef SsdparIndexWish (*SsdparIndexTaker) (void *arg, uint64 key,
											 const ItemPointerData *tids,
											 const IndexTuple *tuples,
											 int ntids);

/*
 * A search for distinct keys of several columns, in the index's order.  Each
 * of the index's leading columns has an array of nkeys values; these are
 * integers if the index orders the column as integers.
 */
typedef struct SsdparIndexSearch
{
	Relation	index;
	const SsdparIndexKeyColumn *columns;
	int			ncolumns;
	uint64		nkeys;
	bool		wants_tuples;
	SsdparPageMethod method;
} SsdparIndexSearch;

/* Passes the rows of each key on, with an early end. */
extern void ssdpar_index_rows_of_columns(const SsdparIndexSearch *search,
										 SsdparIndexTaker take, void *arg,
										 SsdparIndexCounts *counts);

#endif							/* SSDPAR_BTREE_LOOKUP_H */
