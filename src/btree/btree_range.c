/*
 * btree_range.c
 *		Reads the leaves of a btree that conditions leave over, ahead of a scan
 *		of the server's.
 *
 * A scan that builds a bitmap reads one leaf after another and cannot be looked
 * at meanwhile.  So its leaves are read before it begins: the lowest inner
 * pages know them all.
 *
 *		level 1		[ ... first child in the range ... ] -> [ ... last ... ]
 *		level 0			   leaf  leaf  leaf  leaf  leaf  leaf  leaf
 *
 * No row and no key is taken from what is read: the scan that follows does all
 * of it again.  So a page that was split, emptied or deleted since its parent
 * was looked at costs a read in vain, or one that is missing here, and nothing
 * else; no lock is held from one page to the next, and what looks damaged ends
 * the walk, for the scan to complain about.
 */
#include "postgres.h"

#include "access/nbtree.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "btree/btree_range.h"

/* An inner page has no more children, unless it is damaged. */
#define MOST_CHILDREN MaxIndexTuplesPerPage

/* A condition that bounds one column of the index. */
typedef struct Bound
{
	Datum		value;
	Oid			collation;
	FmgrInfo   *order;			/* of the column's type and the value's */
	FmgrInfo	room;			/* for order, where the index has none */
} Bound;

/*
 * The range of keys.  The first columns are equal to constants, the next one
 * may have bounds: lower[i] and upper[i] are of column i + 1.
 */
typedef struct Range
{
	Relation	index;
	int			nlower;
	int			nupper;
	Bound		lower[INDEX_MAX_KEYS];
	Bound		upper[INDEX_MAX_KEYS];
} Range;

/* False if the operator class cannot compare the two types. */
static bool
make_bound(Relation index, const ScanKeyData *key, Bound *bound)
{
	int			column = key->sk_attno - 1;
	Oid			type = index->rd_opcintype[column];
	RegProcedure function;

	bound->value = key->sk_argument;
	bound->collation = key->sk_collation;
	if (key->sk_subtype == type || !OidIsValid(key->sk_subtype))
	{
		bound->order = index_getprocinfo(index, key->sk_attno, BTORDER_PROC);
		return true;
	}
	function = get_opfamily_proc(index->rd_opfamily[column], type,
								 key->sk_subtype, BTORDER_PROC);
	if (!RegProcedureIsValid(function))
		return false;
	fmgr_info(function, &bound->room);
	bound->order = &bound->room;
	return true;
}

/* The first plain condition on a column with one of these strategies. */
static const ScanKeyData *
find_key(const ScanKeyData *keys, int nkeys, int column,
		 StrategyNumber one, StrategyNumber other)
{
	for (int i = 0; i < nkeys; i++)
		if (keys[i].sk_attno == column && keys[i].sk_flags == 0 &&
			(keys[i].sk_strategy == one || keys[i].sk_strategy == other))
			return &keys[i];
	return NULL;
}

static bool
add_bound(Range *range, const ScanKeyData *key, Bound *bounds, int *nbounds)
{
	if (key == NULL || !make_bound(range->index, key, &bounds[*nbounds]))
		return false;
	(*nbounds)++;
	return true;
}

/* The column's bounds, in the index's order; true if it is one value. */
static bool
bound_column(Range *range, const ScanKeyData *keys, int nkeys, int column)
{
	bool		descending = (range->index->rd_indoption[column - 1] &
							  INDOPTION_DESC) != 0;
	const ScanKeyData *equal = find_key(keys, nkeys, column,
										BTEqualStrategyNumber,
										BTEqualStrategyNumber);
	const ScanKeyData *above = find_key(keys, nkeys, column,
										BTGreaterStrategyNumber,
										BTGreaterEqualStrategyNumber);
	const ScanKeyData *below = find_key(keys, nkeys, column,
										BTLessStrategyNumber,
										BTLessEqualStrategyNumber);

	if (equal != NULL)
		return add_bound(range, equal, range->lower, &range->nlower) &&
			add_bound(range, equal, range->upper, &range->nupper);
	(void) add_bound(range, descending ? below : above, range->lower,
					 &range->nlower);
	(void) add_bound(range, descending ? above : below, range->upper,
					 &range->nupper);
	return false;
}

static void
make_range(Range *range, Relation index, const ScanKeyData *keys, int nkeys)
{
	int			columns = IndexRelationGetNumberOfKeyAttributes(index);
	int			column = 1;

	range->index = index;
	range->nlower = range->nupper = 0;
	while (column <= columns && bound_column(range, keys, nkeys, column))
		column++;
}

/*
 * Where a separator lies, as far as the bounds say: less than, equal to or
 * greater than 0.  What it leaves out counts as less than anything, and so
 * does the first item of an inner page, which leaves out all.
 */
static int
compare(const Range *range, const Bound *bounds, int nbounds,
		IndexTuple separator)
{
	TupleDesc	row = RelationGetDescr(range->index);
	int			columns = BTreeTupleGetNAtts(separator, range->index);

	for (int i = 0; i < nbounds; i++)
	{
		int			option = range->index->rd_indoption[i];
		bool		isnull;
		Datum		value;
		int			result;

		if (i >= columns)
			return -1;
		value = index_getattr(separator, i + 1, row, &isnull);
		if (isnull)
			return (option & INDOPTION_NULLS_FIRST) ? -1 : 1;
		result = DatumGetInt32(FunctionCall2Coll(bounds[i].order,
												 bounds[i].collation, value,
												 bounds[i].value));
		if (result != 0)
			return (option & INDOPTION_DESC) ? (result < 0 ? 1 : -1) : result;
	}
	return 0;
}

static IndexTuple
item_at(Page page, OffsetNumber offset)
{
	return (IndexTuple) PageGetItem(page, PageGetItemId(page, offset));
}

/* The last child that begins below the range, or else the first one. */
static OffsetNumber
first_child(const Range *range, Page page)
{
	OffsetNumber low = P_FIRSTDATAKEY(BTPageGetOpaque(page));
	OffsetNumber high = PageGetMaxOffsetNumber(page) + 1;

	/* low begins below, or is the first; high does not, or is past the page */
	while (low + 1 < high)
	{
		OffsetNumber middle = low + (high - low) / 2;

		if (compare(range, range->lower, range->nlower,
					item_at(page, middle)) < 0)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/*
 * The children of the page that may be in the range; *right is the next page
 * to look at, or P_NONE at the end of the range.  -1 if there are more than a
 * page can have.
 */
static int
children_of(const Range *range, Page page, BlockNumber *children,
			BlockNumber *right)
{
	OffsetNumber last = PageGetMaxOffsetNumber(page);
	int			n = 0;

	*right = BTPageGetOpaque(page)->btpo_next;
	for (OffsetNumber i = first_child(range, page); i <= last; i++)
	{
		IndexTuple	item = item_at(page, i);

		if (compare(range, range->upper, range->nupper, item) > 0)
		{
			*right = P_NONE;
			break;
		}
		if (n == MOST_CHILDREN)
			return -1;
		children[n++] = BTreeTupleGetDownLink(item);
	}
	return n;
}

/*
 * The children of the page on this level that may be in the range.  -1 if it is
 * none of that level, or holds nothing.
 */
static int
read_inner_page(const Range *range, BlockNumber block, uint32 level,
				BlockNumber *children, BlockNumber *right)
{
	Buffer		buffer = ReadBuffer(range->index, block);
	Page		page = BufferGetPage(buffer);
	int			n = -1;

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	if (!PageIsNew(page) &&
		PageGetSpecialSize(page) == MAXALIGN(sizeof(BTPageOpaqueData)))
	{
		BTPageOpaque opaque = BTPageGetOpaque(page);

		if (!P_IGNORE(opaque) && !P_ISLEAF(opaque) &&
			opaque->btpo_level == level &&
			PageGetMaxOffsetNumber(page) >= P_FIRSTDATAKEY(opaque))
			n = children_of(range, page, children, right);
	}
	UnlockReleaseBuffer(buffer);
	return n;
}

/* The root and its level; false if there is nothing above leaves. */
static bool
read_root(Relation index, BlockNumber *root, uint32 *level)
{
	Buffer		buffer = ReadBuffer(index, BTREE_METAPAGE);
	Page		page = BufferGetPage(buffer);
	bool		found = false;

	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	if (!PageIsNew(page))
	{
		BTMetaPageData *meta = BTPageGetMeta(page);

		*root = meta->btm_fastroot;
		*level = meta->btm_fastlevel;
		found = meta->btm_magic == BTREE_MAGIC &&
			meta->btm_version == BTREE_VERSION && *level > 0 &&
			*root != P_NONE;
	}
	UnlockReleaseBuffer(buffer);
	return found;
}

/* Down to the first page above the leaves that leads into the range. */
static bool
descend(const Range *range, BlockNumber *block, BlockNumber *children)
{
	uint32		level;
	BlockNumber right;

	if (!read_root(range->index, block, &level))
		return false;
	for (; level > 1; level--)
	{
		if (read_inner_page(range, *block, level, children, &right) <= 0)
			return false;
		*block = children[0];
	}
	return true;
}

/* The leaves read so far, in the order of the list. */
typedef struct Leaves
{
	SsdparPageMethod method;
	int			depth;
	SsdparPageList *list;		/* NULL: none had to be read */
	uint32		read;
} Leaves;

/*
 * Read pages in the order of the list, which asks for those to come.  They stay
 * in shared buffers for the scan.  Where all are there already that would take
 * longer than the scan's own reads of them.
 */
static void
read_pages(Relation index, Leaves *leaves, const BlockNumber *blocks,
		   int count)
{
	if (ssdpar_pages_are_buffered(index, MAIN_FORKNUM, blocks, count))
		return;
	if (leaves->list == NULL)
		leaves->list = ssdpar_page_list_open(index, MAIN_FORKNUM,
											 leaves->method, leaves->depth);
	ssdpar_page_list_add(leaves->list, blocks, count);
	for (int i = 0; i < count; i++)
	{
		CHECK_FOR_INTERRUPTS();
		ReleaseBuffer(ReadBuffer(index, blocks[i]));
		ssdpar_page_list_advance(leaves->list, ++leaves->read);
	}
}

static uint32
read_leaves(const Range *range, SsdparPageMethod method, int depth,
			uint32 most)
{
	BlockNumber *children = palloc_array(BlockNumber, MOST_CHILDREN);
	Leaves		leaves = {.method = method, .depth = depth};
	BlockNumber block;

	if (!descend(range, &block, children))
		return 0;
	while (block != P_NONE && leaves.read < most)
	{
		BlockNumber right;
		int			n = read_inner_page(range, block, 1, children, &right);

		/* a single leaf is soon read by the scan itself */
		if (n < 0 || (n == 1 && right == P_NONE))
			break;
		read_pages(range->index, &leaves, children,
				   (int) Min((uint32) n, most - leaves.read));
		block = right;
	}
	if (leaves.list != NULL)
		ssdpar_page_list_close(leaves.list);
	return leaves.read;
}

uint32
ssdpar_index_read_leaves(Relation index, const ScanKeyData *keys, int nkeys,
						 SsdparPageMethod method, int depth, uint32 most)
{
	MemoryContext context;
	MemoryContext before;
	Range	   *range;
	uint32		leaves = 0;

	context = AllocSetContextCreate(CurrentMemoryContext, "ssdpar leaves",
									ALLOCSET_DEFAULT_SIZES);
	before = MemoryContextSwitchTo(context);
	range = palloc_object(Range);
	make_range(range, index, keys, nkeys);
	if (range->nlower > 0 || range->nupper > 0)
		leaves = read_leaves(range, method, depth, most);
	MemoryContextSwitchTo(before);
	MemoryContextDelete(context);
	return leaves;
}
