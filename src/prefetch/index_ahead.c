/*
 * index_ahead.c
 *		Reads ahead of one of core's index scans: the table pages that the
 *		next entries refer to, and the next leaf.
 *
 * A btree scan copies all entries it needs from a leaf into its state
 * (BTScanPosData) at once and then fetches a row for each entry.  So that
 * state shows what it is going to read.  We inspect it and request the pages,
 * but change nothing.  Everything that moves the scan (killed entries, mark
 * and restore, a rescan, a change of direction, a parallel scan's next leaf)
 * is detected from its position alone.
 *
 *		leaf		entries		first ... item ... asked ... last	next leaf
 *											  '--ahead--'
 *
 *	item		the scan's entry at the last look; its row has been fetched
 *	asked		the last entry whose page was requested, or was left to the
 *				scan because it comes next
 *	ahead		pages requested and not reached yet, at most the distance
 *
 * The distance is controlled by read_distance.c: it grows while rows wait for
 * the device and is 0 while they are found in memory.  It is kept across
 * rescans. Nothing is requested before a scan's second row, because many scans
 * have only one, and before two rows close to each other have waited.
 *
 * After the last entries of a leaf only the next leaf can be requested, whose
 * entries are unknown until the scan has read it.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/nbtree.h"
#include "access/transam.h"
#include "executor/instrument.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "base/settings.h"
#include "prefetch/counters.h"
#include "prefetch/index_ahead.h"
#include "prefetch/page_list.h"
#include "prefetch/read_distance.h"

/*
 * Number of successive rows without a wait after which a scan is not inspected
 * for a while.  A row found in shared buffers counts more, because the cost of
 * looking matters most where rows are cheapest.
 */
#define QUIET_ROWS 16
#define QUIET_HIT 4

/* Minimum number of rows read during that pause. */
#define REST_ROWS 1000

/* Maximum number of pages requested at once. */
#define BATCH_PAGES 64

/* More than the entries of a leaf. */
#define ALL_ROWS (2.0 * MaxTIDsPerBTreePage)

/*
 * Invariants: pages and starts are both NULL or both not.  passed <= added,
 * and the difference is the number of entries from item (exclusive) to asked
 * for which starts is true; no other entry has it true.
 */
struct SsdparIndexAhead
{
	IndexScanState *node;
	const		LimitState *limit;	/* directly above, or NULL */
	bool		filtered;		/* so before() is not called */

	SsdparReadDistance distance;
	uint32		quiet;			/* weighted number of successive rows without
								 * a wait */
	bool		rested;			/* it was not inspected until now */
	bool		timed;			/* since and reads are valid */
	instr_time	since;
	int64		reads;

	BlockNumber leaf;			/* position of the scan; invalid: none */
	BlockNumber next_leaf;		/* the following leaf; invalid: none */
	bool		next_asked;
	int			item;
	ItemPointerData tid;		/* of item */
	int			asked;
	BlockNumber block;			/* of asked */

	MemoryContext context;		/* the query's context */
	SsdparPageList *pages;		/* NULL: nothing was requested yet */
	bool	   *starts;			/* for each entry: does it request another
								 * page? */
	BlockNumber nblocks;		/* lower bound of the table's size */
	uint64		added;			/* number of pages added to pages */
	uint64		passed;

	SsdparIndexAsked sum;
};

/* A unique key compared with constants or parameters finds at most one row. */
static bool
finds_one_row(const IndexScanState * node)
{
	Form_pg_index index = node->iss_RelationDesc->rd_index;

	if (!index->indisunique || node->iss_NumScanKeys < index->indnkeyatts)
		return false;
	for (int i = 0; i < node->iss_NumScanKeys; i++)
	{
		const ScanKeyData *key = &node->iss_ScanKeys[i];

		if (key->sk_flags != 0 || key->sk_strategy != BTEqualStrategyNumber)
			return false;
	}
	return true;
}

bool
ssdpar_index_ahead_possible(const IndexScanState * node)
{
	Relation	rel = node->ss.ss_currentRelation;
	Relation	index = node->iss_RelationDesc;

	return ssdpar_prefetch_index_scans && rel != NULL && index != NULL &&
		RelationGetRelid(rel) >= FirstNormalObjectId &&
		rel->rd_tableam == GetHeapamTableAmRoutine() &&
		index->rd_indam->amgettuple == btgettuple &&
		ssdpar_page_method(rel) != SSDPAR_PAGES_NONE &&
		!finds_one_row(node);
}

SsdparIndexAhead *
ssdpar_index_ahead_open(IndexScanState * node, const LimitState * limit)
{
	SsdparIndexAhead *self = palloc0_object(SsdparIndexAhead);

	self->node = node;
	self->limit = limit;
	self->filtered = node->ss.ps.qual != NULL;
	self->leaf = InvalidBlockNumber;
	self->context = CurrentMemoryContext;
	return self;
}

/*
 * A row has waited, so from now on another wait close to it makes the distance
 * grow.  A single one may only have been interrupted.
 */
static void
begin(SsdparIndexAhead *self)
{
	Relation	rel = self->node->ss.ss_currentRelation;
	MemoryContext old = MemoryContextSwitchTo(self->context);
	int			depth = ssdpar_page_depth(rel);

	/* twice, as some pages are in shared buffers and others are neighbors */
	ssdpar_read_distance_init(&self->distance, 2 * depth);
	self->starts = palloc0_array(bool, MaxTIDsPerBTreePage);
	self->nblocks = RelationGetNumberOfBlocks(rel);
	self->pages = ssdpar_page_list_open(rel, MAIN_FORKNUM,
										ssdpar_page_method(rel), depth);
	MemoryContextSwitchTo(old);
}

/* Position of the scan */

/*
 * Its position on a leaf from which a row was fetched; NULL if there is none.
 */
static BTScanPos
scan_position(const SsdparIndexAhead *self)
{
	IndexScanDesc scan = self->node->iss_ScanDesc;
	BTScanPos	pos;

	if (scan == NULL)
		return NULL;
	pos = &((BTScanOpaque) scan->opaque)->currPos;
	Assert(scan->indexRelation == self->node->iss_RelationDesc);
	if (!BTScanPosIsValid(*pos) || pos->itemIndex < pos->firstItem ||
		pos->itemIndex > pos->lastItem)
		return NULL;
	Assert(pos->firstItem >= 0 && pos->lastItem < MaxTIDsPerBTreePage);
	return pos;
}

/* 1 if entries are fetched in index order, -1 if in reverse order. */
static int
scan_step(const SsdparIndexAhead *self)
{
	ScanDirection index =
		((const IndexScan *) self->node->ss.ps.plan)->indexorderdir;
	ScanDirection query = self->node->ss.ps.state->es_direction;

	return ScanDirectionIsBackward(index) ==
		ScanDirectionIsBackward(query) ? 1 : -1;
}

static BlockNumber
entry_block(const BTScanPosData * pos, int item)
{
	return ItemPointerGetBlockNumber(&pos->items[item].heapTid);
}

/*
 * The scan is at another place: the requested pages have been read, or will
 * not be. The entry after this one is left to the scan, which fetches it next.
 */
static void
start_leaf(SsdparIndexAhead *self, const BTScanPosData * pos, int step)
{
	int			next = pos->itemIndex + step;

	if (self->passed < self->added)
		memset(self->starts, 0, MaxTIDsPerBTreePage * sizeof(bool));
	self->passed = self->added;
	ssdpar_page_list_advance(self->pages, self->passed);
	self->leaf = pos->currPage;
	self->next_leaf = step > 0 ? (pos->moreRight ? pos->nextPage : P_NONE) :
		(pos->moreLeft ? ssdpar_btree_left_page(pos) : P_NONE);
	self->next_asked = self->next_leaf == P_NONE;
	self->item = pos->itemIndex;
	self->tid = pos->items[self->item].heapTid;
	self->asked = next >= pos->firstItem && next <= pos->lastItem ? next :
		pos->itemIndex;
	self->block = entry_block(pos, self->asked);
}

/* The scan has advanced on its leaf. */
static void
pass_entries(SsdparIndexAhead *self, const BTScanPosData * pos, int step)
{
	int			item = pos->itemIndex;
	uint64		before = self->passed;

	while (self->item != item)
	{
		self->item += step;
		if (self->starts[self->item])
			self->passed++;
		self->starts[self->item] = false;
	}
	self->tid = pos->items[item].heapTid;
	if ((self->asked - item) * step < 0)
		self->asked = item;
	Assert(self->passed <= self->added);
	if (self->passed != before)
		ssdpar_page_list_advance(self->pages, self->passed);
}

/*
 * Has the scan advanced on the same leaf?  A rescan for another key may find
 * its entries on the same leaf.
 */
static bool
has_gone_on(SsdparIndexAhead *self, const BTScanPosData * pos, int step)
{
	return pos->currPage == self->leaf &&
		(pos->itemIndex - self->item) * step > 0 &&
		self->item >= pos->firstItem && self->item <= pos->lastItem &&
		ItemPointerEquals((ItemPointer) &self->tid,
						  (ItemPointer) &pos->items[self->item].heapTid);
}

/* Returns false if the scan seems to have just begun. */
static bool
follow(SsdparIndexAhead *self, const BTScanPosData * pos, int step)
{
	bool		began;

	if (has_gone_on(self, pos, step))
	{
		pass_entries(self, pos, step);
		return true;
	}
	began = self->leaf == InvalidBlockNumber ||
		pos->currPage != self->next_leaf;
	start_leaf(self, pos, step);
	return !began;
}

/* Requests */

/* An entry of a corrupted index may point to a page that does not exist. */
static bool
is_in_table(SsdparIndexAhead *self, BlockNumber block)
{
	if (block >= self->nblocks)
		self->nblocks =
			RelationGetNumberOfBlocks(self->node->ss.ss_currentRelation);
	return block < self->nblocks;
}

/*
 * Number of entries that will still be fetched, as far as a LIMIT above tells.
 */
static double
entries_wanted(const SsdparIndexAhead *self, bool returned)
{
	const		LimitState *limit = self->limit;
	double		rows;

	if (limit == NULL || limit->noCount ||
		limit->limitOption != LIMIT_OPTION_COUNT)
		return ALL_ROWS;
	rows = (double) limit->offset + limit->count - limit->position - returned;
	if (rows <= 0)
		return 0;
	return self->filtered ? ALL_ROWS : Min(rows, ALL_ROWS);
}

static void
ask_for_next_leaf(SsdparIndexAhead *self)
{
	Relation	index = self->node->iss_RelationDesc;

	self->next_asked = true;
	if (self->next_leaf < RelationGetNumberOfBlocks(index) &&
		PrefetchBuffer(index, MAIN_FORKNUM, self->next_leaf).initiated_io)
	{
		ssdpar_count(SSDPAR_COUNT_LOCAL, 1);
		self->sum.leaves++;
	}
}

/*
 * Collects the pages of the entries up to end, skipping entries on the same
 * page as the previous one.
 */
static int
take_pages(SsdparIndexAhead *self, const BTScanPosData * pos, int step, int end,
		   BlockNumber *blocks, int most)
{
	int			n = 0;

	while (n < most && (end - self->asked) * step > 0)
	{
		BlockNumber block;

		self->asked += step;
		block = entry_block(pos, self->asked);
		if (block == self->block || !is_in_table(self, block))
			continue;
		self->block = block;
		self->starts[self->asked] = true;
		blocks[n++] = block;
	}
	return n;
}

/*
 * Requests several pages at once if the distance allows it, so that neighbors
 * are combined into one request.
 */
static void
ask(SsdparIndexAhead *self, const BTScanPosData * pos, int step, double wanted)
{
	BlockNumber blocks[BATCH_PAGES];
	int			distance = (int) self->distance.distance;
	int			room = distance - (int) (self->added - self->passed);
	int			last = step > 0 ? pos->lastItem : pos->firstItem;
	int			end = last;
	int			n;

	if (room < Max(distance / 8, 1))
		return;
	if (wanted < (last - pos->itemIndex) * step)
		end = pos->itemIndex + step * (int) wanted;
	n = take_pages(self, pos, step, end, blocks, Min(room, BATCH_PAGES));
	if (n > 0)
	{
		self->added += n;
		self->sum.distance = Max(self->sum.distance, distance);
		ssdpar_page_list_add(self->pages, blocks, n);
	}
	if (self->asked == last && end == last && !self->next_asked &&
		wanted > (last - pos->itemIndex) * step)
		ask_for_next_leaf(self);
}

static void
look(SsdparIndexAhead *self, bool returned)
{
	BTScanPos	pos = self->distance.distance > 0 ? scan_position(self) : NULL;
	int			step = scan_step(self);

	if (pos == NULL)
		self->leaf = InvalidBlockNumber;
	else if (follow(self, pos, step) || !self->filtered)
		ask(self, pos, step, entries_wanted(self, returned));
}

/* Waiting times */

static int64
pages_read(void)
{
	return pgBufferUsage.shared_blks_read;
}

static void
start_clock(SsdparIndexAhead *self)
{
	INSTR_TIME_SET_CURRENT(self->since);
	self->reads = pages_read();
	self->timed = true;
}

/*
 * A row counts as having waited if it took long for the number of pages it
 * read.  With a filter, this includes the time the query spent on the previous
 * row; the cost of useless requests is small compared with that time.
 */
static void
note_row(SsdparIndexAhead *self, bool returned)
{
	int64		missed = pages_read() - self->reads;
	bool		waited = false;

	if (!self->timed)
		return;
	self->timed = false;
	if (missed > 0)
	{
		instr_time	now;

		INSTR_TIME_SET_CURRENT(now);
		INSTR_TIME_SUBTRACT(now, self->since);
		waited = INSTR_TIME_GET_MICROSEC(now) > SSDPAR_WAIT_US * missed;
	}
	self->quiet = waited ? 0 : self->quiet + (missed > 0 ? 1 : QUIET_HIT);
	if (!waited || self->pages != NULL)
		ssdpar_read_distance_note(&self->distance, missed == 0, waited);
	else if (entries_wanted(self, returned) > 0)
		begin(self);
}

/*
 * The first row after a pause is ignored, because it comes with the timer's
 * signal and includes whatever else the processor did at that time.
 */
void
ssdpar_index_ahead_before(SsdparIndexAhead *self)
{
	look(self, false);
	if (!self->rested)
		start_clock(self);
	self->rested = false;
}

bool
ssdpar_index_ahead_after(SsdparIndexAhead *self, bool returned)
{
	note_row(self, returned);
	if (self->distance.distance == 0 && self->quiet >= QUIET_ROWS)
	{
		ssdpar_read_distance_skip(&self->distance, REST_ROWS);
		self->quiet = 0;
		self->leaf = InvalidBlockNumber;
		self->rested = true;
		return false;
	}
	if (self->filtered)
	{
		look(self, returned);
		start_clock(self);
	}
	return true;
}

SsdparIndexAsked
ssdpar_index_ahead_asked(const SsdparIndexAhead *self)
{
	SsdparIndexAsked asked = self->sum;

	if (self->pages != NULL)
		asked.pages = ssdpar_page_list_asked(self->pages);
	return asked;
}
