/*
 * lookup_keys.h
 *		The keys that an index of the fact is to be asked for, collected from
 *		the rows of one dimension.
 *
 * Integers where the indexed column's values are such, sorted and distinct;
 * else the values themselves, as they come.  Too many to keep are given up:
 * the index is then not asked, and rows are only tested with the key set.
 */
#ifndef SSDPAR_LOOKUP_KEYS_H
#define SSDPAR_LOOKUP_KEYS_H

#include "executor/tuptable.h"

#include "keys/key_code.h"
#include "keys/key_set.h"

/* What can be asked for, once finished: the first five. */
typedef struct SsdparLookupKeys
{
	bool		wanted;			/* the index is to be asked */
	bool		exact;			/* they say all that the reducer says */
	const int64 *integers;		/* either these, ascending and distinct ... */
	Datum	   *datums;			/* ... or these, in no order */
	uint64		nkeys;

	/* While they are being collected. */
	SsdparKeyCoder *coder;		/* of integers ... */
	SsdparKeyBuilder *builder;	/* ... which are kept here */
	bool		shares_builder; /* with the reducer's own key set */
	AttrNumber	column;			/* or this column of the row as it is ... */
	int16		length;
	bool		byval;
	MemoryContext memory;		/* ... copied here */
	uint64		room;			/* in datums */
	Size		max_bytes;
} SsdparLookupKeys;

/*
 * Begin with those of key's column number index_column, in the current memory
 * context, within max_bytes.  row describes the dimension's rows.  coder and
 * builder are those of the reducer's key set: if its codes are the integers
 * that the index holds, these are not collected twice.
 */
extern void ssdpar_lookup_keys_begin(SsdparLookupKeys *keys,
									 const SsdparJoinKey *key,
									 int index_column, TupleDesc row,
									 SsdparKeyCoder *coder,
									 SsdparKeyBuilder *builder,
									 Size max_bytes);

/* Add the key of a row, none of whose key columns is NULL. */
extern void ssdpar_lookup_keys_add(SsdparLookupKeys *keys,
								   TupleTableSlot *slot);

/* There are no more rows.  Bytes that the keys take from now on. */
extern Size ssdpar_lookup_keys_finish(SsdparLookupKeys *keys);

#endif							/* SSDPAR_LOOKUP_KEYS_H */
