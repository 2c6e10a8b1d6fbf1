/*
 * btree_leaf.c
 *		Finds the row addresses that a leaf of a btree has for sorted keys.
 *
 * Items and keys are both sorted, so one merge finds all matches.  Either of
 * them can be much denser than the other.  Therefore the one that lags behind
 * gallops, which costs the logarithm of the distance, and only one comparison
 * if the next one matches.
 *
 * Plain integer keys in an index in ascending order are compared in place, by
 * loops compiled for the type.  This matters for a partitioned fact: each
 * partition's index is searched for all keys, so several of them fall on each
 * leaf.
 *
 * This file handles one page and does not move to others; see btree_reader.c.
 */
#include "postgres.h"

#include "access/nbtree.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "btree/btree_leaf.h"

static IndexTuple
item_at(Page page, OffsetNumber offset)
{
	return (IndexTuple) PageGetItem(page, PageGetItemId(page, offset));
}

/*
 * Returns the type of the items' first column if keys can be compared in
 * place: they must be integers, ascending, and the only column.  Otherwise
 * returns SSDPAR_NOT_INTEGER.
 */
static SsdparIntegerType
plain_type(const SsdparIndexKeys *keys)
{
	const SsdparIndexColumn *column = &keys->columns[0];

	return keys->ncolumns == 1 && !column->descending &&
		(column->integer == SSDPAR_INT32 || column->integer == SSDPAR_INT64) ?
		column->integer : SSDPAR_NOT_INTEGER;
}

/*
 * Is the type plain, and does the tuple have no NULLs, so that the first
 * column is at its usual offset?
 */
static inline bool
is_plain(IndexTuple item, SsdparIntegerType plain)
{
	return plain != SSDPAR_NOT_INTEGER && likely(!IndexTupleHasNulls(item));
}

static inline int64
plain_integer(IndexTuple item, SsdparIntegerType plain)
{
	const char *column = (const char *) item + IndexInfoFindDataOffset(0);

	return plain == SSDPAR_INT32 ? *(const int32 *) column :
		*(const int64 *) column;
}

static inline int
compare_item(const SsdparIndexKeys *keys, IndexTuple item, uint64 key,
			 SsdparIntegerType plain)
{
	int64		integer;
	int64		wanted;

	if (!is_plain(item, plain))
		return ssdpar_index_keys_compare(keys, item, key);
	integer = plain_integer(item, plain);
	wanted = keys->columns[0].integers[key];
	return (integer > wanted) - (integer < wanted);
}

/* Returns the first item after offset that does not sort before the key.  */
static inline OffsetNumber
seek_item(const SsdparIndexKeys *keys, Page page, OffsetNumber offset,
		  uint64 key, SsdparIntegerType plain)
{
	OffsetNumber end = PageGetMaxOffsetNumber(page) + 1;
	OffsetNumber low = offset + 1;
	OffsetNumber high = low;
	int			step = 1;

	while (high < end &&
		   compare_item(keys, item_at(page, high), key, plain) < 0)
	{
		low = high + 1;
		high = Min(high + step, end);
		step *= 2;
	}
	while (low < high)
	{
		OffsetNumber middle = low + (high - low) / 2;

		if (compare_item(keys, item_at(page, middle), key, plain) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/*
 * Same as ssdpar_index_keys_seek(), which it calls if the item is not plain.
 */
static inline uint64
seek_key(const SsdparIndexKeys *keys, IndexTuple item, uint64 key,
		 SsdparIntegerType plain)
{
	const int64 *integers = keys->columns[0].integers;
	uint64		high = key;
	uint64		step = 1;
	int64		integer;

	if (!is_plain(item, plain))
		return ssdpar_index_keys_seek(keys, item, key);
	integer = plain_integer(item, plain);
	while (high < keys->count && integers[high] < integer)
	{
		key = high + 1;
		high += step;
		step *= 2;
	}
	high = Min(high, keys->count);
	while (key < high)
	{
		uint64		middle = key + (high - key) / 2;

		if (integers[middle] < integer)
			key = middle + 1;
		else
			high = middle;
	}
	return key;
}

void
ssdpar_leaf_rows_init(SsdparLeafRows *rows, bool positions, bool tuples)
{
	memset(rows, 0, sizeof(SsdparLeafRows));
	rows->tids = palloc_array(ItemPointerData, MaxTIDsPerBTreePage);
	if (positions)
		rows->positions = palloc_array(uint64, MaxTIDsPerBTreePage);
	if (tuples)
	{
		rows->tuples = palloc_array(IndexTuple, MaxTIDsPerBTreePage);
		rows->space = palloc(BLCKSZ);
	}
}

/* Copies the columns of an item, without the TIDs of a posting list.  */
static IndexTuple
copy_columns(Relation index, SsdparLeafRows *rows, IndexTuple item)
{
	IndexTuple	copy = (IndexTuple) (rows->space + rows->used);
	Size		size = BTreeTupleIsPosting(item) ?
		BTreeTupleGetPostingOffset(item) : IndexTupleSize(item);

	if (MAXALIGN(size) > BLCKSZ - rows->used)
		elog(ERROR, "too many rows on one page of index \"%s\"",
			 RelationGetRelationName(index));
	memcpy(copy, item, size);
	copy->t_info = (copy->t_info & ~INDEX_SIZE_MASK) | size;
	rows->used += MAXALIGN(size);
	return copy;
}

/*
 * Adds the row of an item, or the rows of a posting list (deduplicated equal
 * keys).  Only a damaged page can have more rows than fit on a page, but the
 * arrays must not overflow even then.
 */
static void
add_item(Relation index, IndexTuple item, uint64 key, SsdparLeafRows *rows)
{
	int			count = 1;
	ItemPointer tids = &item->t_tid;
	IndexTuple	copy = NULL;

	if (BTreeTupleIsPosting(item))
	{
		count = BTreeTupleGetNPosting(item);
		tids = BTreeTupleGetPosting(item);
	}
	if (count > MaxTIDsPerBTreePage - rows->count)
		elog(ERROR, "too many rows on one page of index \"%s\"",
			 RelationGetRelationName(index));
	if (rows->tuples != NULL)
		copy = copy_columns(index, rows, item);
	memcpy(rows->tids + rows->count, tids, count * sizeof(ItemPointerData));
	for (int i = rows->count; i < rows->count + count; i++)
	{
		if (rows->positions != NULL)
			rows->positions[i] = key;
		if (rows->tuples != NULL)
			rows->tuples[i] = copy;
	}
	rows->count += count;
}

/*
 * Merges keys and items.  After a match, the key stays current, because equal
 * items may follow on this page or on the next.  It is passed only when an
 * item sorts after it.
 *
 * Each iteration advances the item or the key, so the merge ends.  The
 * function is inlined so that it is compiled separately for each type.
 */
static pg_attribute_always_inline uint64
merge(Relation index, const SsdparIndexKeys *keys, Page page, uint64 key,
	  bool heed_dead, SsdparLeafRows *rows, SsdparIntegerType plain)
{
	OffsetNumber last = PageGetMaxOffsetNumber(page);
	OffsetNumber i = P_FIRSTDATAKEY(BTPageGetOpaque(page));

	while (i <= last && key < keys->count)
	{
		ItemId		id = PageGetItemId(page, i);
		IndexTuple	item = (IndexTuple) PageGetItem(page, id);
		int			comparison = compare_item(keys, item, key, plain);

		if (comparison < 0)
			i = seek_item(keys, page, i, key, plain);
		else if (comparison > 0)
			key = seek_key(keys, item, key, plain);
		else
		{
			if (!heed_dead || !ItemIdIsDead(id))
				add_item(index, item, key, rows);
			i++;
		}
	}
	return key;
}

uint64
ssdpar_index_leaf_rows(Relation index, const SsdparIndexKeys *keys, Page page,
					   uint64 key, bool heed_dead, SsdparLeafRows *rows)
{
	rows->count = 0;
	rows->used = 0;
	switch (plain_type(keys))
	{
		case SSDPAR_INT32:
			return merge(index, keys, page, key, heed_dead, rows,
						 SSDPAR_INT32);
		case SSDPAR_INT64:
			return merge(index, keys, page, key, heed_dead, rows,
						 SSDPAR_INT64);
		default:
			return merge(index, keys, page, key, heed_dead, rows,
						 SSDPAR_NOT_INTEGER);
	}
}
