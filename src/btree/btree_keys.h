/*
 * btree_keys.h
 *		Sorted keys, compared with the first columns of a btree's tuples.
 *
 * Positions count the keys in the index's own order; NULLs in the index sort
 * before or after all of the keys and equal none.
 */
#ifndef SSDPAR_BTREE_KEYS_H
#define SSDPAR_BTREE_KEYS_H

#include "access/itup.h"
#include "utils/relcache.h"

#include "keys/key_code.h"

/*
 * One column of the keys.  Invariant: integers, if integer says how to take
 * one out of the index, or else values.
 */
typedef struct SsdparIndexColumn
{
	bool		descending;
	bool		nulls_first;
	SsdparIntegerType integer;
	const int64 *integers;
	const Datum *values;
	FmgrInfo   *order;			/* what compares values */
	Oid			collation;
} SsdparIndexColumn;

/*
 * Invariant: 1 <= ncolumns.  Keys of one column ascend by what its operator
 * class calls less, and are counted from the end in a DESC index (reversed);
 * integers are distinct.  Those of several columns are in the index's order
 * and distinct.
 */
typedef struct SsdparIndexKeys
{
	Relation	index;
	uint64		count;
	bool		reversed;
	int			ncolumns;
	SsdparIndexColumn columns[SSDPAR_MAX_KEY_COLUMNS];
} SsdparIndexKeys;

/* Where the caller has a column of its keys: one of the two, the other NULL. */
typedef struct SsdparIndexKeyColumn
{
	const int64 *integers;
	const Datum *values;
} SsdparIndexKeyColumn;

/* Can this column of the index, 1 the first, be compared with integers? */
extern bool ssdpar_index_orders_integers(Relation index, AttrNumber column);

/*
 * Can a column of this type, in this operator family, be compared as all of its
 * type are?  Integers in an order of their own would have to be compared by
 * datum, which callers do not expect of them.
 */
extern bool ssdpar_index_order_is_known(Oid family, Oid type);

/*
 * Keys that live as long as the caller's arrays; the second sorts its array,
 * the third has one array for each of the index's first columns.
 */
extern void ssdpar_index_keys_integers(SsdparIndexKeys *keys, Relation index,
									   const int64 *integers, uint64 count);
extern void ssdpar_index_keys_datums(SsdparIndexKeys *keys, Relation index,
									 Datum *values, uint64 count);
extern void ssdpar_index_keys_columns(SsdparIndexKeys *keys, Relation index,
									  const SsdparIndexKeyColumn *columns,
									  int ncolumns, uint64 count);

/* Which of the caller's keys is at this position? */
extern uint64 ssdpar_index_keys_number(const SsdparIndexKeys *keys,
									   uint64 position);

/*
 * Where a tuple lies: less than, equal to or greater than 0 if its first
 * columns sort before, equal or sort after the key at this position.  A column
 * that a separator leaves out is less than anything.
 */
extern int	ssdpar_index_keys_compare(const SsdparIndexKeys *keys,
									  IndexTuple tuple, uint64 position);

/* The same for the first columns of two tuples. */
extern int	ssdpar_index_keys_compare_tuples(const SsdparIndexKeys *keys,
											 IndexTuple a, IndexTuple b);

/* The first position, from this one on, whose key does not sort before. */
extern uint64 ssdpar_index_keys_seek(const SsdparIndexKeys *keys,
									 IndexTuple tuple, uint64 position);

#endif							/* SSDPAR_BTREE_KEYS_H */
