/*
 * btree_leaf.c
 *		The row addresses that one leaf of a btree holds for sorted keys.
 *
 * Items and keys are both sorted, so that one merge finds all matches.  Either
 * may be much denser than the other: whichever lags behind catches up by steps
 * that double, which costs the logarithm of the distance and one comparison
 * where the next one matches already.
 *
 * Keys that are the usual integers, in an index that ascends by them alone, are
 * compared as they lie there, by loops compiled for the type: of a fact with
 * partitions each partition's index is searched for all keys, which are then
 * close together, some of them on each leaf.
 *
 * It knows one page and no way to another: btree_reader.c.
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
 * Of which type the items' first columns are, if they and the keys are integers
 * in ascending order and nothing else is compared; SSDPAR_NOT_INTEGER: any.
 */
static SsdparIntegerType
plain_type(const SsdparIndexKeys *keys)
{
	const SsdparIndexColumn *column = &keys->columns[0];

	return keys->ncolumns == 1 && !column->descending &&
		(column->integer == SSDPAR_INT32 || column->integer == SSDPAR_INT64) ?
		column->integer : SSDPAR_NOT_INTEGER;
}

/* Is the first column where it is in a tuple without NULLs, and a plain one? */
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

/* The first item beyond offset that does not sort before the key. */
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

/* As ssdpar_index_keys_seek(), which sees to all that is not plain. */
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

/* Its columns, without the rows of a posting list. */
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
 * One row, or those of a posting list (deduplicated equal keys).  More than
 * fit on any page can only come from a damaged one: the arrays must not
 * overflow.
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
 * A key that was matched stays current: its rows may fill the page and go on
 * to the right, or its equals follow as further items.  It is passed only by an
 * item that sorts behind it.
 *
 * Each turn moves either the item or the key on, so the merge ends.  Inlined,
 * so that it is compiled once for each type.
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
