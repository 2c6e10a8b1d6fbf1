/*
 * btree_range.c
 *		Reads the leaves of a btree that satisfy conditions, before a scan of
 *		the server reads them.
 *
 * A scan that builds a bitmap reads one leaf after another and cannot be
 * observed meanwhile.  So we read its leaves before it begins.  The lowest
 * inner pages list all of them:
 *
 *	level 1		[ ... first child in the range ... ] -> [ ... last ... ]
 *	level 0			   leaf  leaf  leaf  leaf  leaf  leaf  leaf
 *
 * No rows or keys are taken from these pages, because the scan that follows
 * reads them again.  Therefore, if a page has been split, emptied or deleted
 * since its parent was read, the only effect is an unnecessary or a missing
 * read.  No lock is held while moving from one page to another.  If a page
 * looks damaged, the walk ends, and the scan reports the damage.
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

/* Maximum number of children of an inner page that is not damaged.  */
#define MOST_CHILDREN MaxIndexTuplesPerPage

/*
 * A bound for one column of the index: a value or, if order is NULL, NULL,
 * which no comparison matches.
 */
typedef struct Bound
{
	int			column;
	Datum		value;
	Oid			collation;
	FmgrInfo   *order;			/* for the column's type and the value's */
	FmgrInfo	room;			/* holds order if the index does not cache it */
} Bound;

/* A condition may occur twice; further ones are ignored.  */
#define MOST_BOUNDS (2 * INDEX_MAX_KEYS)

typedef struct Bounds
{
	int			outside;		/* comparison result beyond the bounds: -1 or
								 * 1 */
	int			count;
	Bound		bounds[MOST_BOUNDS];	/* by column */
} Bounds;

/*
 * The range of keys.  The leading columns are equal to constants; the next
 * column may have bounds.
 */
typedef struct Range
{
	Relation	index;
	Bounds		lower;
	Bounds		upper;
} Range;

/*
 * Is the key a comparison with a single value, not with a list, a row or NULL?
 */
static bool
is_plain(const ScanKeyData *key)
{
	return key->sk_flags == 0;
}

/* Returns false if the operator class cannot compare the two types.  */
static bool
make_bound(Relation index, const ScanKeyData *key, Bound *bound)
{
	int			column = key->sk_attno - 1;
	Oid			type = index->rd_opcintype[column];
	RegProcedure function;

	bound->column = key->sk_attno;
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

static bool
add_bound(Bounds *bounds, Relation index, const ScanKeyData *key)
{
	if (bounds->count == MOST_BOUNDS ||
		!make_bound(index, key, &bounds->bounds[bounds->count]))
		return false;
	bounds->count++;
	return true;
}

/*
 * Makes NULLs the bound: the scan ends where they begin, or begins where they
 * end.
 */
static void
leave_out_nulls(Bounds *bounds, int column)
{
	if (bounds->count < MOST_BOUNDS)
		bounds->bounds[bounds->count++] = (Bound) {.column = column};
}

/*
 * Returns the first plain condition that requires the column to equal a value.
 */
static const ScanKeyData *
find_equal(const ScanKeyData *keys, int nkeys, int column)
{
	for (int i = 0; i < nkeys; i++)
		if (keys[i].sk_attno == column && is_plain(&keys[i]) &&
			keys[i].sk_strategy == BTEqualStrategyNumber)
			return &keys[i];
	return NULL;
}

static bool
is_below(const ScanKeyData *key)
{
	return key->sk_strategy == BTLessStrategyNumber ||
		key->sk_strategy == BTLessEqualStrategyNumber;
}

/*
 * Adds the column's bounds in the index's order; all of them apply.  If the
 * column must not be NULL, or is compared with anything, NULLs are outside the
 * range.
 */
static void
bound_column(Range *range, const ScanKeyData *keys, int nkeys, int column)
{
	bool		descending = (range->index->rd_indoption[column - 1] &
							  INDOPTION_DESC) != 0;
	int			nlower = range->lower.count;
	int			nupper = range->upper.count;
	bool		not_null = false;

	for (int i = 0; i < nkeys; i++)
	{
		if (keys[i].sk_attno != column)
			continue;
		not_null = true;
		if (is_plain(&keys[i]))
			(void) add_bound(is_below(&keys[i]) == descending ?
							 &range->lower : &range->upper,
							 range->index, &keys[i]);
	}
	if (not_null && range->lower.count == nlower)
		leave_out_nulls(&range->lower, column);
	if (not_null && range->upper.count == nupper)
		leave_out_nulls(&range->upper, column);
}

/*
 * Do the conditions on this and later columns define something other than one
 * range?  The scan looks up the values of a list individually, starts within a
 * row comparison, and finds NULLs in one place.  Since PostgreSQL 18 it also
 * skips from value to value of a column if a later column has conditions.
 */
static bool
is_in_places(const ScanKeyData *keys, int nkeys, int column)
{
	for (int i = 0; i < nkeys; i++)
		if ((keys[i].sk_attno == column && !is_plain(&keys[i]) &&
			 !(keys[i].sk_flags & SK_SEARCHNOTNULL)) ||
			(SSDPAR_BTREE_SKIPS && keys[i].sk_attno > column))
			return true;
	return false;
}

/*
 * Returns false if the conditions define no range, or one in which the scan
 * skips.
 */
static bool
make_range(Range *range, Relation index, const ScanKeyData *keys, int nkeys)
{
	int			columns = IndexRelationGetNumberOfKeyAttributes(index);
	int			column = 1;

	range->index = index;
	range->lower = (Bounds) {.outside = -1};
	range->upper = (Bounds) {.outside = 1};
	for (; column <= columns; column++)
	{
		const ScanKeyData *equal = find_equal(keys, nkeys, column);

		if (equal == NULL)
			break;
		if (!add_bound(&range->lower, index, equal) ||
			!add_bound(&range->upper, index, equal))
			return false;
	}
	if (column <= columns)
	{
		if (is_in_places(keys, nkeys, column))
			return false;
		bound_column(range, keys, nkeys, column);
	}
	return range->lower.count > 0;
}

/*
 * Compares a separator with the bound's value, in the index's order; returns
 * less than, equal to or greater than 0.  Truncated columns count as minus
 * infinity.  This applies to all columns of the first item of an inner page.
 */
static int
compare_column(Relation index, const Bound *bound, IndexTuple separator)
{
	int			option = index->rd_indoption[bound->column - 1];
	bool		isnull;
	Datum		value;
	int			result;

	if (bound->column > BTreeTupleGetNAtts(separator, index))
		return -1;
	value = index_getattr(separator, bound->column, RelationGetDescr(index),
						  &isnull);
	if (isnull)
		return (option & INDOPTION_NULLS_FIRST) ? -1 : 1;
	if (bound->order == NULL)
		return 0;
	result = DatumGetInt32(FunctionCall2Coll(bound->order, bound->collation,
											 value, bound->value));
	if (option & INDOPTION_DESC)
		return result < 0 ? 1 : -(result > 0);
	return result;
}

/*
 * Is the separator beyond the bounds?  A column before the last one decides
 * alone if it does not equal its value.
 */
static bool
is_outside(const Range *range, const Bounds *bounds, IndexTuple separator)
{
	for (int i = 0; i < bounds->count; i++)
	{
		int			result = compare_column(range->index, &bounds->bounds[i],
											separator);

		if (result != 0 && (result < 0) == (bounds->outside < 0))
			return true;
		if (result != 0 && i + 1 < bounds->count &&
			bounds->bounds[i + 1].column > bounds->bounds[i].column)
			return false;
	}
	return false;
}

static IndexTuple
item_at(Page page, OffsetNumber offset)
{
	return (IndexTuple) PageGetItem(page, PageGetItemId(page, offset));
}

/*
 * Returns the last child that begins below the range, or else the first child.
 */
static OffsetNumber
first_child(const Range *range, Page page)
{
	OffsetNumber low = P_FIRSTDATAKEY(BTPageGetOpaque(page));
	OffsetNumber high = PageGetMaxOffsetNumber(page) + 1;

	/*
	 * low begins below the range or is the first; high does not, or is past
	 * the end
	 */
	while (low + 1 < high)
	{
		OffsetNumber middle = low + (high - low) / 2;

		if (is_outside(range, &range->lower, item_at(page, middle)))
			low = middle;
		else
			high = middle;
	}
	return low;
}

/*
 * Collects the children of the page that may be in the range and returns their
 * number.  *right is the next page to read, or P_NONE at the end of the range.
 * Returns -1 if there are more children than a page can have.
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

		if (is_outside(range, &range->upper, item))
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
 * Reads a page of this level and collects its children that may be in the
 * range.  Returns -1 if the page is not of that level or is empty.
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

/* Finds the root and its level; returns false if the root is a leaf.  */
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

/*
 * Descends to the first page of the lowest inner level that leads into the
 * range.
 */
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

/* The leaves read so far, in the order of the list.  */
typedef struct Leaves
{
	SsdparPageMethod method;
	int			depth;
	SsdparPageList *list;		/* NULL: none had to be read */
	uint32		read;
	uint32		passed;			/* including those already in shared buffers */
} Leaves;

/*
 * Reads pages in the order of the list, which requests those to come.  They
 * stay in shared buffers for the scan.  If all of them are there already,
 * returns immediately, because looking each of them up would only delay the
 * scan.
 */
static void
read_pages(Relation index, Leaves *leaves, const BlockNumber *blocks,
		   int count)
{
	leaves->passed += count;
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
	while (block != P_NONE && leaves.passed < most)
	{
		BlockNumber right;
		int			n = read_inner_page(range, block, 1, children, &right);

		CHECK_FOR_INTERRUPTS();
		/* the scan can read a single leaf itself */
		if (n < 0 || (n == 1 && right == P_NONE))
			break;
		read_pages(range->index, &leaves, children,
				   (int) Min((uint32) n, most - leaves.passed));
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
	if (make_range(range, index, keys, nkeys))
		leaves = read_leaves(range, method, depth, most);
	MemoryContextSwitchTo(before);
	MemoryContextDelete(context);
	return leaves;
}
