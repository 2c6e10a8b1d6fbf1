/*
 * btree_keys.h
 *		Sorted keys, compared with the first column of a btree's tuples.
 *
 * Positions count the keys in the index's own order, descending in a DESC
 * index; NULLs in the index sort before or after all of the keys and equal
 * none.
 */
#ifndef SSDPAR_BTREE_KEYS_H
#define SSDPAR_BTREE_KEYS_H

#include "access/itup.h"
#include "utils/relcache.h"

#include "keys/key_code.h"

/*
 * Invariant: either integers or values are there, ascending by what the
 * index's operator class calls less; integers without duplicates, values with
 * any.
 */
typedef struct SsdparIndexKeys
{
	TupleDesc	row;			/* of the index */
	bool		descending;
	bool		nulls_first;
	uint64		count;
	SsdparIntegerType integer;
	const int64 *integers;		/* if integer, ascending */
	Datum	   *values;			/* if not, ascending by order */
	FmgrInfo   *order;
	Oid			collation;
} SsdparIndexKeys;

/* Can the index's first column be compared with integers? */
extern bool ssdpar_index_orders_integers(Relation index);

/* Keys that live as long as the caller's array; the second sorts it. */
extern void ssdpar_index_keys_integers(SsdparIndexKeys *keys, Relation index,
									   const int64 *integers, uint64 count);
extern void ssdpar_index_keys_datums(SsdparIndexKeys *keys, Relation index,
									 Datum *values, uint64 count);

/*
 * Where a tuple lies: less than, equal to or greater than 0 if its first
 * column sorts before, equals or sorts after the key at this position.
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
