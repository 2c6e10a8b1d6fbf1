/*
 * btree_leaf.c
 *		The row addresses that one leaf of a btree holds for sorted keys.
 *
 * Items and keys are both sorted, so that one merge finds all matches.  Either
 * may be much denser than the other: whichever lags behind catches up by steps
 * that double, which costs the logarithm of the distance and one comparison
 * where the next one matches already.
 *
 * It knows one page and no way to another: btree_lookup.c.
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

/* The first item beyond offset that does not sort before the key. */
static OffsetNumber
seek_item(const SsdparIndexKeys *keys, Page page, OffsetNumber offset,
		  uint64 key)
{
	OffsetNumber end = PageGetMaxOffsetNumber(page) + 1;
	OffsetNumber low = offset + 1;
	OffsetNumber high = low;
	int			step = 1;

	while (high < end &&
		   ssdpar_index_keys_compare(keys, item_at(page, high), key) < 0)
	{
		low = high + 1;
		high = Min(high + step, end);
		step *= 2;
	}
	while (low < high)
	{
		OffsetNumber middle = low + (high - low) / 2;

		if (ssdpar_index_keys_compare(keys, item_at(page, middle), key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
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
 * Each turn moves either the item or the key on, so the merge ends.
 */
uint64
ssdpar_index_leaf_rows(Relation index, const SsdparIndexKeys *keys, Page page,
					   uint64 key, bool heed_dead, SsdparLeafRows *rows)
{
	OffsetNumber last = PageGetMaxOffsetNumber(page);
	OffsetNumber i = P_FIRSTDATAKEY(BTPageGetOpaque(page));

	rows->count = 0;
	rows->used = 0;
	while (i <= last && key < keys->count)
	{
		ItemId		id = PageGetItemId(page, i);
		IndexTuple	item = (IndexTuple) PageGetItem(page, id);
		int			comparison = ssdpar_index_keys_compare(keys, item, key);

		if (comparison < 0)
			i = seek_item(keys, page, i, key);
		else if (comparison > 0)
			key = ssdpar_index_keys_seek(keys, item, key);
		else
		{
			if (!heed_dead || !ItemIdIsDead(id))
				add_item(index, item, key, rows);
			i++;
		}
	}
	return key;
}
