/*
 * heap_rows.c
 *		Fetches rows of the inner table by their addresses, in block order and
 *		at the device's depth.
 *
 * As in core's index scans, the table access method determines which row
 * version an address leads to, and takes the predicate locks of serializable
 * transactions.  Tuples are copied, because a batch has more pages than may be
 * pinned.
 *
 * As in a bitmap scan, the index's leaves need not stay pinned, because a row
 * that reuses a dead row's line pointer is newer than the snapshot.
 *
 * If the index has all needed columns (index_only.h), rows on all-visible
 * pages are not fetched, and nothing is copied of the others.
 */
#include "postgres.h"

#include "access/tableam.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "index_join/exec/heap_rows.h"
#include "prefetch/page_list.h"
#include "prefetch/read_timer.h"

/*
 * When block sizes double, half of the memory can be unused, so their size is
 * limited.
 */
#define MOST_BLOCK_BYTES (64 * 1024)

/* A match to be sorted: block and offset in one number.  */
typedef struct Address
{
	uint64		place;
	uint64		match;
} Address;

#define ST_SORT sort_addresses
#define ST_ELEMENT_TYPE Address
#define ST_COMPARE(a, b) \
	((a)->place != (b)->place ? ((a)->place > (b)->place ? 1 : -1) : \
	 ((a)->match > (b)->match) - ((a)->match < (b)->match))
#define ST_SCOPE static
#define ST_CHECK_FOR_INTERRUPTS
#define ST_DEFINE
#include "lib/sort_template.h"

struct SsdparHeapRows
{
	Relation	heap;
	Relation	index;
	Snapshot	snapshot;
	IndexFetchTableData *fetch;
	TupleTableSlot *slot;
	SsdparPageList *pages;
	uint64		pages_added;
	uint64		pages_read;		/* of these, including those given up */
	SsdparReadTimer timer;		/* of a page's first row */
	MemoryContext tuples;
};

SsdparHeapRows *
ssdpar_heap_rows_begin(Relation heap, Relation index, Snapshot snapshot)
{
	SsdparHeapRows *rows = palloc0_object(SsdparHeapRows);

	Assert(IsMVCCSnapshot(snapshot));
	rows->heap = heap;
	rows->index = index;
	rows->snapshot = snapshot;
	rows->fetch = ssdpar_table_index_fetch_begin(heap, SO_NONE);
	rows->slot = table_slot_create(heap, NULL);
	rows->pages = ssdpar_page_list_open(heap, MAIN_FORKNUM,
										ssdpar_page_method(heap), 0);
	rows->tuples = GenerationContextCreate(CurrentMemoryContext,
										   "SsdparIndexJoin tuples",
										   ALLOCSET_DEFAULT_MINSIZE,
										   ALLOCSET_DEFAULT_INITSIZE,
										   MOST_BLOCK_BYTES);
	return rows;
}

static Address *
sort_matches(const SsdparMatches *matches, uint64 first, uint64 end)
{
	Address    *addresses =
		MemoryContextAllocHuge(CurrentMemoryContext,
							   Max(end - first, 1) * sizeof(Address));

	for (uint64 i = first; i < end; i++)
	{
		ItemPointer tid = &matches->matches[i].tid;

		addresses[i - first].place =
			(uint64) ItemPointerGetBlockNumber(tid) << 16 |
			ItemPointerGetOffsetNumber(tid);
		addresses[i - first].match = i;
	}
	sort_addresses(addresses, end - first);
	return addresses;
}

static inline BlockNumber
block_of(const Address *address)
{
	return (BlockNumber) (address->place >> 16);
}

/* Requests the pages to be read, each once.  */
static void
announce_pages(SsdparHeapRows *rows, const SsdparMatches *matches,
			   const Address *addresses, uint64 count,
			   SsdparJoinCounters *counters)
{
	BlockNumber *blocks =
		MemoryContextAllocHuge(CurrentMemoryContext,
							   Max(count, 1) * sizeof(BlockNumber));
	uint64		nblocks = 0;

	for (uint64 i = 0; i < count; i++)
	{
		BlockNumber block = block_of(&addresses[i]);

		if (matches->matches[addresses[i].match].all_visible ||
			(nblocks > 0 && blocks[nblocks - 1] == block))
			continue;
		if (nblocks > 0 && blocks[nblocks - 1] + 1 == block)
			counters->merged++;
		blocks[nblocks++] = block;
	}
	Assert(nblocks <= INT_MAX);
	ssdpar_page_list_add(rows->pages, blocks, (int) nblocks);
	rows->pages_added += nblocks;
	counters->pages += nblocks;
	pfree(blocks);
}

/*
 * Fetches a row into the slot; returns false if the snapshot sees no version
 * of it.
 */
static bool
fetch_row(SsdparHeapRows *rows, const ItemPointerData *address)
{
	ItemPointerData tid = *address; /* is changed to the version's */
	bool		call_again = false;

	if (!table_index_fetch_tuple(rows->fetch, &tid, rows->snapshot,
								 rows->slot, &call_again, NULL))
		return false;
	Assert(!call_again);
	pgstat_count_heap_fetch(rows->index);
	return true;
}

static HeapTuple
copy_row(SsdparHeapRows *rows)
{
	MemoryContext before = MemoryContextSwitchTo(rows->tuples);
	HeapTuple	tuple = ExecCopySlotHeapTuple(rows->slot);

	MemoryContextSwitchTo(before);
	return tuple;
}

static void
find_row(SsdparHeapRows *rows, const SsdparMatches *matches,
		 SsdparMatch *match, bool new_page, SsdparJoinCounters *counters)
{
	if (match->all_visible)
	{
		match->found = true;
		return;
	}
	if (new_page)
		ssdpar_read_timer_start(&rows->timer);
	match->found = fetch_row(rows, &match->tid);
	if (new_page)
		ssdpar_read_timer_stop(&rows->timer, &counters->waits);
	if (matches->only != NULL)
		counters->heap_fetches++;
	else if (match->found)
		match->tuple.heap = copy_row(rows);
}

/*
 * Finds the rows in block order.  If the index was split while it was read, it
 * may have returned a row twice for a key; a match with the same key as the
 * previous one is not counted again.  In a sound index, matches of two keys
 * have different addresses; if not, each is found separately.  Returns false
 * if the rows found do not fit in memory.
 */
static bool
find_rows(SsdparHeapRows *rows, SsdparMatches *matches,
		  const Address *addresses, uint64 count, Size memory,
		  SsdparJoinCounters *counters)
{
	BlockNumber block = InvalidBlockNumber;

	for (uint64 i = 0; i < count; i++)
	{
		SsdparMatch *match = &matches->matches[addresses[i].match];
		bool		again = i > 0 && addresses[i - 1].place ==
			addresses[i].place;
		bool		new_page = !match->all_visible &&
			block != block_of(&addresses[i]);

		if (i > 0 && ssdpar_heap_rows_size(rows) > memory)
			return false;
		if (new_page)
		{
			CHECK_FOR_INTERRUPTS();
			block = block_of(&addresses[i]);
			ssdpar_page_list_advance(rows->pages, ++rows->pages_read);
		}
		if (again &&
			ssdpar_matches_are_of_one_key(matches, addresses[i - 1].match,
										  addresses[i].match))
			match->found = false;
		else
			find_row(rows, matches, match, new_page, counters);
	}
	return true;
}

/* Drops the remaining announced pages, which will not be read.  */
static void
give_up_pages(SsdparHeapRows *rows)
{
	rows->pages_read = rows->pages_added;
	ssdpar_page_list_advance(rows->pages, rows->pages_read);
}

bool
ssdpar_heap_rows_fetch(SsdparHeapRows *rows, SsdparMatches *matches,
					   uint64 first, uint64 end, Size memory,
					   SsdparJoinCounters *counters)
{
	int64		before = ssdpar_pages_read();
	Address    *addresses = sort_matches(matches, first, end);
	bool		fit;

	ssdpar_heap_rows_clear(rows);
	announce_pages(rows, matches, addresses, end - first, counters);
	fit = find_rows(rows, matches, addresses, end - first, memory, counters);
	if (!fit)
		give_up_pages(rows);
	table_index_fetch_reset(rows->fetch);
	ExecClearTuple(rows->slot);
	counters->reads += ssdpar_pages_read() - before;
	counters->deepest = Max(counters->deepest,
							ssdpar_page_list_deepest(rows->pages));
	pfree(addresses);
	return fit;
}

void
ssdpar_heap_rows_clear(SsdparHeapRows *rows)
{
	MemoryContextReset(rows->tuples);
}

Size
ssdpar_heap_rows_size(const SsdparHeapRows *rows)
{
	return MemoryContextMemAllocated(rows->tuples, false);
}

void
ssdpar_heap_rows_end(SsdparHeapRows *rows)
{
	ExecDropSingleTupleTableSlot(rows->slot);
	table_index_fetch_end(rows->fetch);
	ssdpar_page_list_close(rows->pages);
}
