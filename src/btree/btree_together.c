/*
 * btree_together.c
 *		Determines whether the rows of one key are on the same pages of the
 *		table.
 *
 * For example, the lines of an order are inserted together and have the same
 * date and customer.  So the rows of a date are scattered over the table, but
 * several of them share a page.  A leaf has the row addresses of a key in
 * order, hundreds of them.
 */
#include "postgres.h"

#include "access/nbtree.h"
#include "storage/bufmgr.h"
#include "utils/datum.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "btree/btree_meta.h"
#include "btree/btree_together.h"

#define LEAVES 2

/* Number of rows, and of pages that contain rows of each key.  */
typedef struct Places
{
	double		rows;
	double		pages;
} Places;

/* The first column of an item, while its page is locked.  */
typedef struct Value
{
	Datum		datum;
	bool		null;
} Value;

static Value
value_of(Relation index, IndexTuple item)
{
	Value		value;

	value.datum = index_getattr(item, 1, RelationGetDescr(index), &value.null);
	return value;
}

/*
 * Compares stored bytes; different representations of equal values count as
 * different.
 */
static bool
is_same(Relation index, const Value *a, const Value *b)
{
	const		FormData_pg_attribute *column =
		TupleDescAttr(RelationGetDescr(index), 0);

	return a->null == b->null &&
		(a->null || datumIsEqual(a->datum, b->datum, column->attbyval,
								 column->attlen));
}

static void
count_leaf(Relation index, Page page, Places *places)
{
	OffsetNumber first = P_FIRSTDATAKEY(BTPageGetOpaque(page));
	OffsetNumber last = PageGetMaxOffsetNumber(page);
	BlockNumber block = InvalidBlockNumber;
	Value		before = {0, true};

	for (OffsetNumber at = first; at <= last; at++)
	{
		IndexTuple	item = (IndexTuple) PageGetItem(page,
													PageGetItemId(page, at));
		Value		value = value_of(index, item);
		bool		many = BTreeTupleIsPosting(item);
		int			n = many ? BTreeTupleGetNPosting(item) : 1;

		if (!is_same(index, &value, &before))
			block = InvalidBlockNumber;
		before = value;
		places->rows += n;
		for (int i = 0; i < n; i++)
		{
			ItemPointer tid = many ? BTreeTupleGetPostingN(item, i) :
				&item->t_tid;

			places->pages += ItemPointerGetBlockNumber(tid) != block;
			block = ItemPointerGetBlockNumber(tid);
		}
	}
}

/* Chooses LEAVES random children of an inner page; returns their number.  */
static int
choose_children(Page page, pg_prng_state *random, BlockNumber *children)
{
	OffsetNumber first = P_FIRSTDATAKEY(BTPageGetOpaque(page));
	OffsetNumber last = PageGetMaxOffsetNumber(page);

	if (last < first)
		return 0;
	for (int i = 0; i < LEAVES; i++)
	{
		OffsetNumber at = (OffsetNumber)
			pg_prng_uint64_range(random, first, last);

		children[i] = BTreeTupleGetDownLink((IndexTuple)
											PageGetItem(page,
														PageGetItemId(page,
																	  at)));
	}
	return LEAVES;
}

/*
 * Reads a page that should be of this level: counts a leaf, or chooses
 * children of an inner page and returns their number.
 */
static int
look_at(Relation index, BlockNumber block, uint32 level,
		pg_prng_state *random, BlockNumber *children, Places *places)
{
	Buffer		buffer = ReadBuffer(index, block);
	int			n = 0;
	BTPageOpaque opaque;
	Page		page;

	LockBuffer(buffer, BT_READ);
	_bt_checkpage(index, buffer);
	page = BufferGetPage(buffer);
	opaque = BTPageGetOpaque(page);
	if (!P_IGNORE(opaque) && opaque->btpo_level == level)
	{
		if (level == 0)
			count_leaf(index, page, places);
		else
			n = choose_children(page, random, children);
	}
	UnlockReleaseBuffer(buffer);
	return n;
}

double
ssdpar_index_rows_together(Relation index, pg_prng_state *random)
{
	Places		places = {0, 0};
	BlockNumber blocks[LEAVES];
	int			n = 1;
	uint32		level;

	ssdpar_index_root(index, &blocks[0], &level);
	if (blocks[0] == P_NONE)
		return 1.0;
	for (; level > 0 && n > 0; level--)
		n = look_at(index, blocks[0], level, random, blocks, &places);
	for (int i = 1; i < n; i++)
		PrefetchBuffer(index, MAIN_FORKNUM, blocks[i]);
	for (int i = 0; i < n; i++)
		(void) look_at(index, blocks[i], 0, random, NULL, &places);
	return places.pages == 0 ? 1.0 : places.rows / places.pages;
}
