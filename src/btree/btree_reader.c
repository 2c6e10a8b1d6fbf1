/*
 * btree_reader.c
 *		Reads the pages of a btree that can contain any of a set of keys, leaf
 *		by leaf, with many pages requested from the device at once.
 *
 * The tree is read level by level.  Each level has a queue of pages that,
 * according to the parents, can contain a key.  Each entry also holds what the
 * parent knew: the upper separator ("bound") and the page to the right.  The
 * queues are filled on demand, from the root down, far enough ahead to keep
 * the device busy (page_list.h).  So memory does not grow with the index.
 *
 * Why no row is missed during concurrent writes: as in the server's own
 * searches (nbtree/README), no lock is held between a parent and its child.
 * Everything that is visible to our snapshot was in the index before the
 * snapshot was taken, hence before the parent was read.  From then on an item
 * can only move right, by a page split, until it is deleted, and an item of a
 * visible row is not deleted.  So we follow a page to the right until we reach
 * the bound that the parent had.  A page that has been deleted since (only
 * empty pages are) leads right as well.  It cannot have been recycled: it was
 * deleted after our snapshot was taken, and a page is recycled only when no
 * snapshot is as old as its deletion.  Pages at the end of one chain may be
 * read again at the beginning of the next, which is harmless for a set.
 *
 * This file does not access the heap and does not check visibility.
 */
#include "postgres.h"

#include "access/nbtree.h"
#include "access/xact.h"
#include "executor/instrument.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "storage/predicate.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/snapmgr.h"

#include "base/compat.h"
#include "btree/btree_keys.h"
#include "btree/btree_leaf.h"
#include "btree/btree_level.h"
#include "btree/btree_meta.h"
#include "btree/btree_reader.h"

/*
 * Pages queued ahead on a level: many small requests, or few merged ones.
 * Each inner page yields some hundreds of leaves, so few of them suffice.
 */
#define LEAVES_AHEAD 2048
#define INNER_PAGES_AHEAD 64

/* Limit of the memory for bounds, which can be long texts.  */
#define BOUND_BYTES_AHEAD (256 * 1024)

typedef struct SsdparIndexReading Reader;

static IndexTuple
item_at(Page page, OffsetNumber offset)
{
	return (IndexTuple) PageGetItem(page, PageGetItemId(page, offset));
}

/*
 * Can the key at this position lie below the separator (NULL: infinity)?  A
 * key equal to the separator's columns lies only to its right if the separator
 * has no further columns, because truncated columns count as minus infinity.
 */
static bool
lies_below(Reader *reader, uint64 key, IndexTuple separator)
{
	int			comparison;

	if (separator == NULL)
		return true;
	comparison = ssdpar_index_keys_compare(&reader->keys, separator, key);
	return comparison > 0 ||
		(comparison == 0 &&
		 (BTreeTupleGetNAtts(separator, reader->index) >
		  reader->keys.ncolumns ||
		  BTreeTupleGetHeapTID(separator) != NULL));
}

/*
 * Pushes the children of an inner page that can contain a key to the level
 * below.  A key may be on several children, because its rows can fill more
 * than one leaf.  If several keys are on one child, it is pushed once.
 */
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
		SsdparIndexTarget target;

		/* The first item represents minus infinity, whatever it contains.  */
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

/*
 * Have we read everything that the parent assigned to the target?  If its
 * neighbors have changed since, this compares the key columns, which may read
 * too much but not too little.
 */
static bool
reaches_bound(Reader *reader, Page page, const SsdparIndexLevel *level,
			  const SsdparIndexTarget *target)
{
	BTPageOpaque opaque = BTPageGetOpaque(page);
	Size		offset = offsetof(ItemPointerData, ip_posid);
	IndexTuple	high_key;

	if (P_RIGHTMOST(opaque) || level->key == reader->keys.count ||
		(target->right != P_NONE && opaque->btpo_next == target->right))
		return true;
	if (target->bound == NULL)
		return false;
	high_key = item_at(page, P_HIKEY);

	/* equal to the bound except for the block number, an item's downlink?  */
	if (IndexTupleSize(high_key) == IndexTupleSize(target->bound) &&
		memcmp((char *) high_key + offset, (char *) target->bound + offset,
			   IndexTupleSize(high_key) - offset) == 0)
		return true;
	return ssdpar_index_keys_compare_tuples(&reader->keys, high_key,
											target->bound) > 0;
}

/*
 * Reads a page of the level and share-locks it.  The check of its level
 * detects stale or damaged downlinks before the items are used.  In
 * serializable transactions, leaves are predicate-locked, as in core's scans,
 * so that later insertions of one of the keys are detected.
 */
static Buffer
read_page(Reader *reader, BlockNumber block, int number)
{
	SsdparReadTimer *timer = &reader->timer;
	Buffer		buffer;
	BTPageOpaque opaque;

	if (number == 0)
		ssdpar_read_timer_start(timer);
	buffer = ReadBuffer(reader->index, block);
	if (number == 0)
		ssdpar_read_timer_stop(timer, &reader->counts->waits);
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
		reader->counts->hits += !timer->missed;
	}
	return buffer;
}

/* Passes on the rows of the current leaf.  */
static void
hand_out(Reader *reader)
{
	const SsdparLeafRows *rows = &reader->rows;
	SsdparIndexLevel *leaves = &reader->levels[0];
	int			first = 0;

	reader->counts->rows += rows->count;
	if (reader->take == NULL)
	{
		ssdpar_tid_bitmap_add(reader->bitmap, rows->tids, rows->count);
		return;
	}
	while (first < rows->count && !reader->enough)
	{
		uint64		position = rows->positions[first];
		int			last = first + 1;
		SsdparIndexWish wish;

		while (last < rows->count && rows->positions[last] == position)
			last++;
		wish = reader->take(reader->taker,
							ssdpar_index_keys_number(&reader->keys, position),
							rows->tids + first,
							rows->tuples == NULL ? NULL : rows->tuples + first,
							last - first);
		if (wish == SSDPAR_INDEX_NEXT_KEY)
			leaves->key = Max(leaves->key, position + 1);
		reader->enough = wish == SSDPAR_INDEX_ENOUGH;
		first = last;
	}
}

/*
 * Reads one page of a target; returns true if it was the last.
 *
 * The needed parts of the page are copied while it is locked.  Setting bits
 * and making requests take longer than a writer should wait, so they happen
 * after it has been unlocked.  Rows are passed on while the page is pinned:
 * until the pin is released, VACUUM cannot pass the page, so no TID on it can
 * be reused for another row.  Half-dead and deleted pages have no items and
 * lead right.
 */
static bool
read_part(Reader *reader, int number, const SsdparIndexTarget *target,
		  BlockNumber *block)
{
	SsdparIndexLevel *level = &reader->levels[number];
	Buffer		buffer;
	Page		page;
	BTPageOpaque opaque;
	bool		last = false;
	bool		ignored;
	int			known = 0;

	/* no page is locked while the next one is read */
	Assert(InterruptHoldoffCount == 0);
	buffer = read_page(reader, *block, number);
	page = BufferGetPage(buffer);
	opaque = BTPageGetOpaque(page);
	*block = opaque->btpo_next;
	ignored = P_IGNORE(opaque);
	if (!ignored)
	{
		if (number == 0)
			level->key = ssdpar_index_leaf_rows(reader->index, &reader->keys,
												page, level->key,
												reader->heed_dead,
												&reader->rows);
		else
		{
			known = level[-1].tail - level[-1].head;
			collect_children(reader, page, level, &level[-1]);
		}
		last = reaches_bound(reader, page, level, target);
	}
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	if (number == 0 && !ignored)
		hand_out(reader);
	ReleaseBuffer(buffer);
	if (number > 0 && !ignored)
		ssdpar_index_level_announce(&level[-1], known);
	return last || *block == P_NONE;
}

/* Are all keys that can be on the target done?  */
static bool
is_passed(Reader *reader, const SsdparIndexTarget *target)
{
	uint64		key = reader->levels[0].key;

	return key > target->first_key &&
		(key == reader->keys.count || !lies_below(reader, key, target->bound));
}

/*
 * Skips the next targets of the level whose keys the receiver no longer wants;
 * their requests are dropped too.
 */
static void
drop_passed(Reader *reader, SsdparIndexLevel *level)
{
	uint64		before = level->taken;

	while (level->head < level->tail &&
		   is_passed(reader, &level->targets[level->head]))
	{
		SsdparIndexTarget target = ssdpar_index_level_take(level);

		if (target.bound != NULL)
			pfree(target.bound);
	}
	if (level->taken > before)
		ssdpar_page_list_advance(level->pages, level->taken);
}

static bool next_target(Reader *reader, int number, SsdparIndexTarget *target);

/*
 * Reads the next target of the level: its page and those to the right up to
 * the bound.  Returns false if there is none.
 */
static bool
read_target(Reader *reader, int number)
{
	SsdparIndexLevel *level = &reader->levels[number];
	SsdparIndexTarget target;
	BlockNumber block;
	bool		done = false;

	if (!next_target(reader, number, &target))
		return false;
	Assert(target.first_key <= reader->keys.count);
	level->key = Max(level->key, target.first_key);
	level->key = Max(level->key, reader->levels[0].key);
	block = target.block;
	while (!done && !reader->enough)
	{
		uint64		before PG_USED_FOR_ASSERTS_ONLY = level->key;

		CHECK_FOR_INTERRUPTS();
		done = read_part(reader, number, &target, &block);
		Assert(level->key >= before && level->key <= reader->keys.count);
	}
	if (target.bound != NULL)
		pfree(target.bound);
	ssdpar_page_list_advance(level->pages, level->taken);
	return true;
}

/*
 * Fills a level from the one above.  This function and read_target() call each
 * other once for each level, of which even the largest btree has few.
 */
static void
look_ahead(Reader *reader, int number)
{
	SsdparIndexLevel *level = &reader->levels[number];
	int			ahead = number == 0 ? LEAVES_AHEAD : INNER_PAGES_AHEAD;

	while (number < reader->top && level->tail - level->head < ahead &&
		   level->bound_bytes < BOUND_BYTES_AHEAD)
	{
		if (!read_target(reader, number + 1))
			break;
	}
}

/* Takes the next target of a level after filling the level.  */
static bool
next_target(Reader *reader, int number, SsdparIndexTarget *target)
{
	SsdparIndexLevel *level = &reader->levels[number];

	do
	{
		CHECK_FOR_INTERRUPTS();
		look_ahead(reader, number);
		if (level->head == level->tail)
			return false;
		drop_passed(reader, level);
	} while (level->head == level->tail);
	*target = ssdpar_index_level_take(level);
	return true;
}

/*
 * Returns the root, or P_NONE.  An empty tree has no page to lock, so a
 * serializable transaction locks the whole index and checks again, because a
 * row inserted between the first check and the lock has not conflicted.
 */
static BlockNumber
find_root(Reader *reader, uint32 *level)
{
	BlockNumber root;

	ssdpar_index_root(reader->index, &root, level);
	if (root == P_NONE && IsolationIsSerializable())
	{
		PredicateLockRelation(reader->index, reader->snapshot);
		ssdpar_index_root(reader->index, &root, level);
	}
	return root;
}

/*
 * The root is the only page of its level that is known in advance, and it is
 * usually in shared buffers, so there is no read-ahead on that level.
 */
void
ssdpar_index_reader_open(Reader *reader, SsdparPageMethod method, int depth)
{
	SsdparIndexTarget target = {.right = P_NONE};
	uint32		top;

	reader->rows_before = reader->counts->rows;
	target.block = find_root(reader, &top);
	if (target.block == P_NONE)
		return;
	reader->top = top;
	ssdpar_leaf_rows_init(&reader->rows, reader->take != NULL,
						  reader->wants_tuples);
	reader->levels = palloc0(sizeof(SsdparIndexLevel) * (top + 1));
	for (uint32 i = 0; i <= top; i++)
		ssdpar_index_level_open(&reader->levels[i], reader->index,
								i == top ? SSDPAR_PAGES_NONE : method, depth);
	ssdpar_index_level_push(&reader->levels[top], &target);
	ssdpar_index_level_announce(&reader->levels[top], 0);
}

void
ssdpar_index_reader_close(Reader *reader)
{
	if (reader->levels == NULL)
		return;
	reader->counts->deepest =
		Max(reader->counts->deepest,
			ssdpar_page_list_deepest(reader->levels[0].pages));
	for (int i = 0; i <= reader->top; i++)
		ssdpar_page_list_close(reader->levels[i].pages);
	pgstat_count_index_tuples(reader->index,
							  reader->counts->rows - reader->rows_before);
}

/*
 * Items that the server has marked dead are dead to every snapshot.  However,
 * a standby's snapshots may be older than the primary knew.
 */
void
ssdpar_index_reader_take_snapshot(Reader *reader)
{
	reader->snapshot = GetActiveSnapshot();
	Assert(IsMVCCSnapshot(reader->snapshot));
	reader->heed_dead = !TransactionStartedDuringRecovery();
}

/* Reading a leaf fills the levels above it as needed.  */
bool
ssdpar_index_reader_leaf(Reader *reader)
{
	return reader->levels != NULL && !reader->enough &&
		reader->levels[0].key < reader->keys.count && read_target(reader, 0);
}
