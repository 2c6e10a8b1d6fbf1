/*
 * btree_order.c
 *		Determines whether the leaves of a btree are stored in the order in
 *		which they are read.
 *
 * A newly built index has its leaves in sequence, and the kernel reads ahead
 * for a scan that follows them.  After leaves have been split, the next one is
 * elsewhere, and the scan has to wait.
 *
 * An inner page of the lowest level lists some hundreds of leaves in order.  A
 * few of these pages, each reached by a random descent, are a sufficient
 * sample.
 */
#include "postgres.h"

#include "access/nbtree.h"
#include "storage/bufmgr.h"

#include "base/compat.h"
#include "btree/btree_meta.h"
#include "btree/btree_order.h"

#define DESCENTS 3

/* Limit of levels to descend; no index of a table has more.  */
#define MOST_LEVELS 3

/* Inner pages lie between leaves; the kernel reads these ahead too.  */
#define CLOSE_BEHIND 4

typedef struct Pairs
{
	int			seen;
	int			close;
} Pairs;

static BlockNumber
child(Page page, OffsetNumber at)
{
	return BTreeTupleGetDownLink((IndexTuple)
								 PageGetItem(page, PageGetItemId(page, at)));
}

static void
count_pairs(Page page, OffsetNumber first, OffsetNumber last, Pairs *pairs)
{
	for (OffsetNumber at = first; at < last; at++)
	{
		BlockNumber leaf = child(page, at);
		BlockNumber next = child(page, at + 1);

		pairs->seen++;
		if (next > leaf && next - leaf <= CLOSE_BEHIND)
			pairs->close++;
	}
}

/*
 * Returns a random child of the page.  On the lowest inner level, counts the
 * leaves and returns P_NONE.  Also returns P_NONE if the page has been reused.
 */
static BlockNumber
step_down(Relation index, BlockNumber block, uint32 level,
		  pg_prng_state *random, Pairs *pairs)
{
	Buffer		buffer = ReadBuffer(index, block);
	BlockNumber below = P_NONE;
	BTPageOpaque opaque;
	OffsetNumber first;
	OffsetNumber last;
	Page		page;

	LockBuffer(buffer, BT_READ);
	_bt_checkpage(index, buffer);
	page = BufferGetPage(buffer);
	opaque = BTPageGetOpaque(page);
	first = P_FIRSTDATAKEY(opaque);
	last = PageGetMaxOffsetNumber(page);
	if (!P_IGNORE(opaque) && opaque->btpo_level == level && last >= first)
	{
		if (level == 1)
			count_pairs(page, first, last, pairs);
		else
			below = child(page, (OffsetNumber)
						  pg_prng_uint64_range(random, first, last));
	}
	UnlockReleaseBuffer(buffer);
	return below;
}

double
ssdpar_index_leaf_order(Relation index, pg_prng_state *random)
{
	Pairs		pairs = {0, 0};
	BlockNumber root;
	uint32		levels;

	ssdpar_index_root(index, &root, &levels);
	if (root == P_NONE || levels > MOST_LEVELS)
		return 0.0;
	for (int i = 0; i < DESCENTS; i++)
	{
		BlockNumber block = root;

		for (uint32 level = levels; level > 0 && block != P_NONE; level--)
			block = step_down(index, block, level, random, &pairs);
	}
	return pairs.seen == 0 ? 0.0 : (double) pairs.close / pairs.seen;
}
