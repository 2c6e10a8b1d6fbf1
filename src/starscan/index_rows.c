/*
 * index_rows.c
 *		All row addresses that a btree holds for a set of keys of its first
 *		column.
 *
 * The tree is read level by level, each level a queue of pages that its parent
 * found could hold a key, together with what the parent knew of them: the
 * separator above ("bound") and the page to the right.  The queues are filled
 * on demand, from the root down, far enough ahead for the device to be kept
 * busy (page_list.h), so memory does not grow with the index.
 *
 * Why nothing is missed while others write.  No lock is held between a parent
 * and its child, as in the server's own searches (nbtree/README).  Whatever is
 * visible to our snapshot was in the index before the snapshot was taken, thus
 * before the parent was read.  From then on an item can only move right, by
 * the split of its page, until it is deleted, which for a visible row it is
 * not.  So a page is followed to the right until what was read reaches the
 * bound that the parent had.  A page that was deleted since (only empty ones
 * are) leads right as well.  It cannot have become another page meanwhile: it
 * was deleted after our snapshot was taken, and a page is recycled only when
 * no snapshot is as old as its deletion.  Pages at the end of one chain may be
 * read once more as the beginning of the next; in a set that does no harm.
 *
 * It knows no heap, no visibility and no reason to end early.
 */
#include "postgres.h"

#include "access/nbtree.h"
#include "access/xact.h"
#include "catalog/pg_am_d.h"
#include "executor/instrument.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "storage/predicate.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "compat.h"
#include "starscan/index_keys.h"
#include "starscan/index_level.h"
#include "starscan/index_rows.h"

/* Pages known ahead on a level: many small requests, or few merged ones. */
#define LEAVES_AHEAD 2048
#define INNER_PAGES_AHEAD 64

/* ... unless what is remembered of them is larger, as with long texts. */
#define BOUND_BYTES_AHEAD (256 * 1024)

typedef struct Reader
{
	Relation	index;
	SsdparIndexKeys keys;
	Snapshot	snapshot;
	bool		heed_dead;		/* are items marked dead also dead to us? */
	SsdparTidSet *set;
	SsdparIndexCounts *counts;
	int			top;			/* level of the root */
	SsdparIndexLevel *levels;
	ItemPointerData *tids;		/* found on the current leaf */
	int			ntids;
} Reader;

/* The root to begin with and its level; P_NONE if the index is empty. */
static uint32
read_meta_page(Relation index, BlockNumber *root, uint32 *level)
{
	Buffer		buffer = ReadBuffer(index, BTREE_METAPAGE);
	BTMetaPageData *meta;
	uint32		version = 0;

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	_bt_checkpage(index, buffer);
	meta = BTPageGetMeta(BufferGetPage(buffer));
	if (meta->btm_magic == BTREE_MAGIC)
		version = meta->btm_version;
	*root = meta->btm_root == P_NONE ? P_NONE : meta->btm_fastroot;
	*level = meta->btm_fastlevel;
	UnlockReleaseBuffer(buffer);
	return version;
}

/*
 * Indexes older than version 4 (made before PostgreSQL 12) order equal keys
 * differently.  Integers in an order of their own would have to be compared
 * by datum, which callers do not expect of them.
 */
bool
ssdpar_index_readable(Relation index)
{
	bool		version_4;
	bool		equal_alike;

	if (index->rd_rel->relkind != RELKIND_INDEX ||
		index->rd_rel->relam != BTREE_AM_OID ||
		index->rd_index->indkey.values[0] <= 0)
		return false;
	if (ssdpar_integer_type(index->rd_opcintype[0]) != SSDPAR_NOT_INTEGER &&
		!ssdpar_index_orders_integers(index))
		return false;
	/* mostly kept with the relation, where the planner has looked it up */
	_bt_metaversion(index, &version_4, &equal_alike);
	return version_4;
}

static IndexTuple
item_at(Page page, OffsetNumber offset)
{
	return (IndexTuple) PageGetItem(page, PageGetItemId(page, offset));
}

/*
 * Is a key that equals the separator's first column found only to the right
 * of it?  It is where the separator says no more than that column: what it
 * leaves out counts as less than anything.
 */
static bool
excludes_equal(Reader *reader, IndexTuple separator)
{
	return BTreeTupleGetNAtts(separator, reader->index) == 1 &&
		BTreeTupleGetHeapTID(separator) == NULL;
}

/* Can the key at this position lie below the separator (NULL: infinity)? */
static bool
lies_below(Reader *reader, uint64 key, IndexTuple separator)
{
	int			comparison;

	if (separator == NULL)
		return true;
	comparison = ssdpar_index_keys_compare(&reader->keys, separator, key);
	return comparison > 0 ||
		(comparison == 0 && !excludes_equal(reader, separator));
}

/* The children of an inner page that can hold a key join their level. */
static void
collect_children(Reader *reader, Page page, SsdparIndexLevel *level,
				 SsdparIndexLevel *below)
{
	BTPageOpaque opaque = BTPageGetOpaque(page);
	OffsetNumber last = PageGetMaxOffsetNumber(page);
	OffsetNumber first = P_FIRSTDATAKEY(opaque);
	IndexTuple	end = P_RIGHTMOST(opaque) ? NULL : item_at(page, P_HIKEY);

	for (OffsetNumber i = first; i <= last; i++)
	{
		IndexTuple	item = item_at(page, i);
		IndexTuple	next = i < last ? item_at(page, i + 1) : end;
		SsdparIndexTarget		target;

		/* The first item stands for minus infinity, whatever it says. */
		if (i > first)
			level->key = ssdpar_index_keys_seek(&reader->keys, item,
												level->key);
		if (level->key == reader->keys.count)
			return;
		if (!lies_below(reader, level->key, next))
			continue;
		target.block = BTreeTupleGetDownLink(item);
		target.right = i < last ? BTreeTupleGetDownLink(next) : P_NONE;
		target.bound = next == NULL ? NULL : CopyIndexTuple(next);
		target.first_key = level->key;
		ssdpar_index_level_push(below, &target);
	}
}

static void
collect_item(Reader *reader, IndexTuple item)
{
	int			count = 1;
	ItemPointer tids = &item->t_tid;

	if (BTreeTupleIsPosting(item))
	{
		count = BTreeTupleGetNPosting(item);
		tids = BTreeTupleGetPosting(item);
	}
	if (count > MaxTIDsPerBTreePage - reader->ntids)
		elog(ERROR, "too many rows on one page of index \"%s\"",
			 RelationGetRelationName(reader->index));
	memcpy(reader->tids + reader->ntids, tids,
		   count * sizeof(ItemPointerData));
	reader->ntids += count;
}

/* The first item beyond offset that does not sort before the key. */
static OffsetNumber
seek_item(Reader *reader, Page page, OffsetNumber offset, uint64 key)
{
	OffsetNumber end = PageGetMaxOffsetNumber(page) + 1;
	OffsetNumber low = offset + 1;
	OffsetNumber high = low;
	int			step = 1;

	while (high < end &&
		   ssdpar_index_keys_compare(&reader->keys, item_at(page, high),
									 key) < 0)
	{
		low = high + 1;
		high = Min(high + step, end);
		step *= 2;
	}
	while (low < high)
	{
		OffsetNumber middle = low + (high - low) / 2;

		if (ssdpar_index_keys_compare(&reader->keys, item_at(page, middle),
									  key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Items and keys side by side, whichever lags behind catching up. */
static void
collect_rows(Reader *reader, Page page, SsdparIndexLevel *level)
{
	OffsetNumber last = PageGetMaxOffsetNumber(page);
	OffsetNumber i = P_FIRSTDATAKEY(BTPageGetOpaque(page));

	while (i <= last && level->key < reader->keys.count)
	{
		ItemId		id = PageGetItemId(page, i);
		IndexTuple	item = (IndexTuple) PageGetItem(page, id);
		int			comparison = ssdpar_index_keys_compare(&reader->keys,
														   item, level->key);

		if (comparison < 0)
			i = seek_item(reader, page, i, level->key);
		else if (comparison > 0)
			level->key = ssdpar_index_keys_seek(&reader->keys, item,
												level->key);
		else
		{
			if (!reader->heed_dead || !ItemIdIsDead(id))
				collect_item(reader, item);
			i++;
		}
	}
}

static void
add_rows(Reader *reader)
{
	ssdpar_tid_set_add(reader->set, reader->tids, reader->ntids);
	reader->counts->rows += reader->ntids;
	reader->ntids = 0;
}

/* Same separator, be it a parent's item or its child's high key? */
static bool
same_separator(IndexTuple a, IndexTuple b)
{
	/* All but the block number, which is the item's downlink. */
	Size		offset = offsetof(ItemPointerData, ip_posid);

	return IndexTupleSize(a) == IndexTupleSize(b) &&
		memcmp((char *) a + offset, (char *) b + offset,
			   IndexTupleSize(a) - offset) == 0;
}

/*
 * Have we come to the end of what the parent said that the target holds?  If
 * its neighbours changed since, compare first columns: that may read too much,
 * not too little.
 */
static bool
reaches_bound(Reader *reader, Page page, const SsdparIndexLevel *level,
			  const SsdparIndexTarget *target)
{
	BTPageOpaque opaque = BTPageGetOpaque(page);
	IndexTuple	high_key;

	if (P_RIGHTMOST(opaque) || level->key == reader->keys.count ||
		(target->right != P_NONE && opaque->btpo_next == target->right))
		return true;
	if (target->bound == NULL)
		return false;
	high_key = item_at(page, P_HIKEY);
	return same_separator(high_key, target->bound) ||
		ssdpar_index_keys_compare_tuples(&reader->keys, high_key,
										 target->bound) > 0;
}

/* A page of the level, share-locked. */
static Buffer
read_page(Reader *reader, BlockNumber block, int number)
{
	int64		hits = pgBufferUsage.shared_blks_hit +
		pgBufferUsage.local_blks_hit;
	Buffer		buffer = ReadBuffer(reader->index, block);
	BTPageOpaque opaque;

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	_bt_checkpage(reader->index, buffer);
	ssdpar_check_old_snapshot(reader->snapshot, reader->index,
							  BufferGetPage(buffer));
	opaque = BTPageGetOpaque(BufferGetPage(buffer));
	if (!P_ISDELETED(opaque) && opaque->btpo_level != (uint32) number)
		ereport(ERROR,
				(errcode(ERRCODE_INDEX_CORRUPTED),
				 errmsg("page %u of index \"%s\" is not on level %d of the tree",
						block, RelationGetRelationName(reader->index),
						number),
				 errhint("Please REINDEX it.")));
	if (number == 0)
	{
		PredicateLockPage(reader->index, block, reader->snapshot);
		reader->counts->leaves++;
		reader->counts->hits += pgBufferUsage.shared_blks_hit +
			pgBufferUsage.local_blks_hit - hits;
	}
	return buffer;
}

/* One page of a target; true if that was the last. */
static bool
read_part(Reader *reader, int number, const SsdparIndexTarget *target,
		  BlockNumber *block)
{
	SsdparIndexLevel *level = &reader->levels[number];
	Buffer		buffer = read_page(reader, *block, number);
	Page		page = BufferGetPage(buffer);
	BTPageOpaque opaque = BTPageGetOpaque(page);
	bool		last = false;
	int			known = 0;

	*block = opaque->btpo_next;
	if (!P_IGNORE(opaque))
	{
		if (number == 0)
			collect_rows(reader, page, level);
		else
		{
			known = level[-1].tail - level[-1].head;
			collect_children(reader, page, level, &level[-1]);
		}
		last = reaches_bound(reader, page, level, target);
	}
	UnlockReleaseBuffer(buffer);
	if (number == 0)
		add_rows(reader);
	else if (!P_IGNORE(opaque))
		ssdpar_index_level_announce(&level[-1], known);
	return last || *block == P_NONE;
}

static bool next_target(Reader *reader, int number, SsdparIndexTarget *target);

/* Read the next target of the level; false if there is none. */
static bool
read_target(Reader *reader, int number)
{
	SsdparIndexLevel *level = &reader->levels[number];
	SsdparIndexTarget		target;
	BlockNumber block;
	bool		done = false;

	if (!next_target(reader, number, &target))
		return false;
	level->key = Max(level->key, target.first_key);
	block = target.block;
	while (!done)
	{
		CHECK_FOR_INTERRUPTS();
		done = read_part(reader, number, &target, &block);
	}
	if (target.bound != NULL)
		pfree(target.bound);
	ssdpar_page_list_advance(level->pages, level->taken);
	return true;
}

/* Draw the next target of a level, having looked ahead on the one above. */
static bool
next_target(Reader *reader, int number, SsdparIndexTarget *target)
{
	SsdparIndexLevel *level = &reader->levels[number];
	int			ahead = number == 0 ? LEAVES_AHEAD : INNER_PAGES_AHEAD;

	while (number < reader->top && level->tail - level->head < ahead &&
		   level->bound_bytes < BOUND_BYTES_AHEAD)
	{
		if (!read_target(reader, number + 1))
			break;
	}
	if (level->head == level->tail)
		return false;
	*target = ssdpar_index_level_take(level);
	return true;
}

static void
open_levels(Reader *reader, BlockNumber root, SsdparPageMethod method,
			int depth)
{
	SsdparIndexTarget target = {.block = root, .right = P_NONE};
	SsdparIndexLevel *top;

	reader->levels = palloc0(sizeof(SsdparIndexLevel) * (reader->top + 1));
	for (int i = 0; i < reader->top; i++)
		ssdpar_index_level_open(&reader->levels[i], reader->index, method,
								depth);
	top = &reader->levels[reader->top];
	ssdpar_index_level_open(top, reader->index, SSDPAR_PAGES_NONE, depth);
	ssdpar_index_level_push(top, &target);
	ssdpar_index_level_announce(top, 0);
}

/* Read all that the keys of the reader ask for. */
static void
read_tree(Reader *reader, SsdparPageMethod method, int depth)
{
	BlockNumber root;
	uint32		top;
	uint64		rows = reader->counts->rows;

	if (read_meta_page(reader->index, &root, &top) != BTREE_VERSION)
		elog(ERROR, "index \"%s\" is not a btree of version %d",
			 RelationGetRelationName(reader->index), BTREE_VERSION);
	if (root == P_NONE)
	{
		PredicateLockRelation(reader->index, reader->snapshot);
		return;
	}
	reader->top = top;
	reader->tids = palloc_array(ItemPointerData, MaxTIDsPerBTreePage);
	open_levels(reader, root, method, depth);
	while (read_target(reader, 0))
		 /* go on */ ;
	for (int i = 0; i <= reader->top; i++)
		ssdpar_page_list_close(reader->levels[i].pages);
	pgstat_count_index_tuples(reader->index, reader->counts->rows - rows);
}

/*
 * With integers, or else with Datums.  What the server has marked dead is dead
 * to every snapshot, except that a standby's snapshots may be older than the
 * primary knew.
 */
static void
read_rows(Relation index, const int64 *integers, Datum *values, uint64 nkeys,
		  SsdparPageMethod method, int depth, SsdparTidSet *set,
		  SsdparIndexCounts *counts)
{
	MemoryContext context = AllocSetContextCreate(CurrentMemoryContext,
												  "ssdpar index rows",
												  ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(context);
	Reader		reader = {.index = index, .set = set, .counts = counts};

	if (integers != NULL)
		ssdpar_index_keys_integers(&reader.keys, index, integers, nkeys);
	else
		ssdpar_index_keys_datums(&reader.keys, index, values, nkeys);
	reader.snapshot = GetActiveSnapshot();
	reader.heed_dead = !TransactionStartedDuringRecovery();
	read_tree(&reader, method, depth);
	MemoryContextSwitchTo(before);
	MemoryContextDelete(context);
}

void
ssdpar_index_rows_by_integer(Relation index, const int64 *keys, uint64 nkeys,
							 SsdparPageMethod method, int depth,
							 SsdparTidSet *set, SsdparIndexCounts *counts)
{
	if (nkeys > 0)
		read_rows(index, keys, NULL, nkeys, method, depth, set, counts);
}

void
ssdpar_index_rows_by_datum(Relation index, Datum *keys, uint64 nkeys,
						   SsdparPageMethod method, int depth,
						   SsdparTidSet *set, SsdparIndexCounts *counts)
{
	if (nkeys > 0)
		read_rows(index, NULL, keys, nkeys, method, depth, set, counts);
}
