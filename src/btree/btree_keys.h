/*
 * btree_keys.h
 *		Compares sorted keys with the first columns of a btree's tuples.
 *
 * Positions count the keys in the index's order.  NULLs in the index sort
 * before or after all keys and equal none.
 */
#ifndef SSDPAR_BTREE_KEYS_H
#define SSDPAR_BTREE_KEYS_H

#include "access/itup.h"
#include "utils/relcache.h"

#include "keys/key_code.h"

/*
 * One column of the keys.  Invariant: integers is set if integer tells how to
 * extract an integer from a tuple; otherwise values is set.
 */
typedef struct SsdparIndexColumn
{
	bool		descending;
	bool		nulls_first;
	SsdparIntegerType integer;
	const int64 *integers;
	const Datum *values;
	FmgrInfo   *order;			/* compares values */
	Oid			collation;
} SsdparIndexColumn;

/*
 * Invariants: ncolumns >= 1.  Keys of one column ascend in the order of its
 * operator class; in a DESC index they are counted from the end (reversed).
 * Integers are distinct.  Keys of several columns are distinct and in the
 * index's order.
 */
typedef struct SsdparIndexKeys
{
	Relation	index;
	uint64		count;
	bool		reversed;
	int			ncolumns;
	SsdparIndexColumn columns[SSDPAR_MAX_KEY_COLUMNS];
} SsdparIndexKeys;

/*
 * One column of the caller's keys: one of the two arrays, the other is NULL.
 */
typedef struct SsdparIndexKeyColumn
{
	const int64 *integers;
	const Datum *values;
} SsdparIndexKeyColumn;

/* Can this column of the index, counting from 1, be compared with integers?  */
extern bool ssdpar_index_orders_integers(Relation index, AttrNumber column);

/*
 * Can a column of this type and operator family be compared in the usual way
 * for its type?  Integers in a non-default order would have to be compared as
 * Datums, which callers do not do for integers.
 */
extern bool ssdpar_index_order_is_known(Oid family, Oid type);

/*
 * Initialize keys that refer to the caller's arrays.  ssdpar_index_keys_datums
 * sorts its array.  ssdpar_index_keys_columns has one array for each of the
 * index's leading columns.
 */
extern void ssdpar_index_keys_integers(SsdparIndexKeys *keys, Relation index,
									   const int64 *integers, uint64 count);
extern void ssdpar_index_keys_datums(SsdparIndexKeys *keys, Relation index,
									 Datum *values, uint64 count);
extern void ssdpar_index_keys_columns(SsdparIndexKeys *keys, Relation index,
									  const SsdparIndexKeyColumn *columns,
									  int ncolumns, uint64 count);

/* Returns the number of the caller's key at this position.  */
extern uint64 ssdpar_index_keys_number(const SsdparIndexKeys *keys,
									   uint64 position);

/*
 * Compares a tuple with a key: returns less than, equal to or greater than 0
 * if the tuple's first columns sort before, equal or sort after the key at
 * this position.  Columns that a separator lacks count as minus infinity.
 */
extern int	ssdpar_index_keys_compare(const SsdparIndexKeys *keys,
									  IndexTuple tuple, uint64 position);

/* The same for the first columns of two tuples.  */
extern int	ssdpar_index_keys_compare_tuples(const SsdparIndexKeys *keys,
											 IndexTuple a, IndexTuple b);

/*
 * Returns the first position, starting from this one, whose key does not sort
 * before the tuple.
 */
extern uint64 ssdpar_index_keys_seek(const SsdparIndexKeys *keys,
									 IndexTuple tuple, uint64 position);

#endif							/* SSDPAR_BTREE_KEYS_H */
