/*
 * btree_lookup.h
 *		All row addresses that a btree holds for a set of keys of its first
 *		columns, read with many leaf pages on the way at once.
 *
 * The server's own index scan reads one leaf after another.  This reads the
 * inner pages first, knows from them which leaves can hold one of the keys,
 * asks for those ahead (page_list.h), and walks each with the sorted keys
 * beside it.
 *
 * What it returns is good under an MVCC snapshot taken before it began: TIDs
 * whose rows have gone since may be among them, and no row visible to that
 * snapshot is missing, whatever other sessions insert, split or vacuum.
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
	uint64		hits;			/* of these in shared buffers */
	uint64		rows;			/* TIDs found */
	SsdparReadWaits waits;		/* for leaves */
	uint64		deepest;		/* most requests for leaves at a time */
} SsdparIndexCounts;

/*
 * Add to bitmap every row whose first index column is one of the keys, sorted
 * ascending and distinct integers (the column is int2, int4, int8, date or the
 * like: key_code.h says exact).  Can be cancelled; counts are added to.
 * Statistics count the rows, and leave it to the caller to count an index scan.
 */
extern void ssdpar_index_rows_by_integer(Relation index, const int64 *keys,
										 uint64 nkeys,
										 SsdparPageMethod method, int depth,
										 SsdparTidBitmap *bitmap,
										 SsdparIndexCounts *counts);

/* The same with keys of the column's own type, any type. */
extern void ssdpar_index_rows_by_datum(Relation index, Datum *keys,
									   uint64 nkeys,
									   SsdparPageMethod method, int depth,
									   SsdparTidBitmap *bitmap,
									   SsdparIndexCounts *counts);

/* What one who is given rows of a key wants next. */
typedef enum SsdparIndexWish
{
	SSDPAR_INDEX_MORE,			/* what there is */
	SSDPAR_INDEX_NEXT_KEY,		/* nothing more of this key */
	SSDPAR_INDEX_ENOUGH,		/* of no key */
} SsdparIndexWish;

/*
 * Is given rows of one key, by its number in the caller's array, as often as
 * there are more of them.  Leaves that have nothing but keys of which no more
 * is wanted are not read.  A row may be given twice where pages are split
 * meanwhile.  tuples are the index's, good until the return, or NULL if the
 * caller did not want them.  The rows' leaf is pinned, no page is locked.  Of a
 * leaf without any it is given none, of the first key: there may be many such
 * leaves.
 */
typedef SsdparIndexWish (*SsdparIndexTaker) (void *arg, uint64 key,
											 const ItemPointerData *tids,
											 const IndexTuple *tuples,
											 int ntids);

/* The same for each key by itself: no bitmap, and an early end. */
extern void ssdpar_index_rows_of_integers(Relation index, const int64 *keys,
										  uint64 nkeys,
										  SsdparPageMethod method, int depth,
										  SsdparIndexTaker take, void *arg,
										  SsdparIndexCounts *counts);
extern void ssdpar_index_rows_of_datums(Relation index, Datum *keys,
										uint64 nkeys,
										SsdparPageMethod method, int depth,
										SsdparIndexTaker take, void *arg,
										SsdparIndexCounts *counts);

/*
 * A search for keys of several columns, distinct and in the index's order: each
 * of the index's first columns has an array of nkeys values, integers where the
 * index orders it as such.
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

extern void ssdpar_index_rows_of_columns(const SsdparIndexSearch *search,
										 SsdparIndexTaker take, void *arg,
										 SsdparIndexCounts *counts);

#endif							/* SSDPAR_BTREE_LOOKUP_H */
