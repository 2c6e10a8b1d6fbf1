/*
 * lookup_keys.h
 *		Keys to look up in an index of the fact, collected from the rows of
 *		one dimension.
 *
 * If the values of the indexed column are integers, the keys are sorted and
 * distinct integers; otherwise they are the values in the order of arrival.
 * If there are too many to keep, they are dropped.  The index is not read in
 * that case, and rows are only tested with the key set.
 */
#ifndef SSDPAR_LOOKUP_KEYS_H
#define SSDPAR_LOOKUP_KEYS_H

#include "executor/tuptable.h"

#include "keys/key_code.h"
#include "keys/key_set.h"

/* The first five members are the result, valid once finished.  */
typedef struct SsdparLookupKeys
{
	bool		wanted;			/* the index is to be read */
	bool		exact;			/* equivalent to the reducer */
	const int64 *integers;		/* either these, ascending and distinct ... */
	Datum	   *datums;			/* ... or these, unordered */
	uint64		nkeys;

	/* While keys are being collected.  */
	SsdparKeyCoder *coder;		/* integer keys are coded by this ... */
	SsdparKeyBuilder *builder;	/* ... and collected here */
	bool		shares_builder; /* builder is the reducer's own */
	AttrNumber	column;			/* other keys come from this column ... */
	int16		length;
	bool		byval;
	MemoryContext memory;		/* ... and are copied here */
	uint64		room;			/* capacity of datums */
	Size		max_bytes;
} SsdparLookupKeys;

/*
 * Starts to collect values of key's column number index_column, in the current
 * memory context and within max_bytes.  row describes the dimension's rows.
 * coder and builder belong to the reducer's key set.  If the set's codes are
 * the integers that the index holds, they are not collected twice.
 */
extern void ssdpar_lookup_keys_begin(SsdparLookupKeys *keys,
									 const SsdparJoinKey *key,
									 int index_column, TupleDesc row,
									 SsdparKeyCoder *coder,
									 SsdparKeyBuilder *builder,
									 Size max_bytes);

/* Adds the key of a row, none of whose key columns is NULL. */
extern void ssdpar_lookup_keys_add(SsdparLookupKeys *keys,
								   TupleTableSlot *slot);

/*
 * Finishes the collection; returns the number of bytes that the keys use from
 * now on.
 */
extern Size ssdpar_lookup_keys_finish(SsdparLookupKeys *keys);

#endif							/* SSDPAR_LOOKUP_KEYS_H */
