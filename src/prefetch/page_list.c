/*
 * page_list.c
 *		Reads an exact list of a relation's pages ahead of the node that needs
 *		them.
 *
 * The list is cut into requests as it is announced.  A request counts against
 * the depth from being announced until the node has come past its last page:
 * when the read itself completes is not looked at.  Pages in shared buffers
 * make no request.
 *
 * The server's own way starts each read at once, as soon as another one has
 * been consumed; the daemon is told more (page_lead.h).
 *
 * While a process waits for a write the list keeps fewer pages ahead (yield.c):
 * they count from the one that the node reads next.
 *
 * The order in which pages should be read is the caller's choice.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "storage/lwlock.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "prefetch/client.h"
#include "prefetch/local_read.h"
#include "prefetch/page_lead.h"
#include "prefetch/page_list.h"
#include "base/settings.h"
#include "prefetch/counters.h"
#include "prefetch/yield.h"

#define MERGED_BLOCKS (256 * 1024 / BLCKSZ)
#define DEFAULT_DEPTH 32

#define MAX_OPEN SSDPAR_LEAD_MOST

StaticAssertDecl(SSDPAR_LEAD_MOST >= 2 * SSDPAR_WIRE_MAX_DEPTH,
				 "a lead of twice the depth");

/* Room for blocks made at once, at least. */
#define GROW_BLOCKS 1024

/*
 * Positions count the pages ever added; blocks[0] is the one at first.
 * Invariants: first <= consumed <= total, first <= announced <= total,
 * open_requests <= most_open.
 */
struct SsdparPageList
{
	Relation	rel;
	ForkNumber	fork;
	SsdparPageMethod method;
	SsdparRelationFile file;
	SsdparLocalRead local;
	uint32		stream;
	SsdparPace	pace;
	int			most_open;
	int			batch;			/* announce when there is room for this many */
	int			enough;			/* pages ahead that keep the device busy */
	BlockNumber *blocks;
	int			room;			/* in blocks */
	uint64		first;
	uint64		consumed;		/* read by the node */
	uint64		announced;
	uint64		total;
	uint64		asked;			/* of those announced: not in shared buffers */
	int			open_requests;	/* announced, and not all of it consumed */
	int			deepest;		/* the most that were open at a time */
	int			oldest;			/* of these, in ends */
	uint64		ends[MAX_OPEN]; /* position after each one, a ring */
	MemoryContextCallback callback;
};

SsdparPageMethod
ssdpar_page_method(Relation rel)
{
	if (!ssdpar_enabled || ssdpar_prefetch == SSDPAR_PREFETCH_OFF ||
		ssdpar_direct_io() || RelationUsesLocalBuffers(rel))
		return SSDPAR_PAGES_NONE;
	return ssdpar_prefetch == SSDPAR_PREFETCH_DAEMON ? SSDPAR_PAGES_DAEMON
		: SSDPAR_PAGES_LOCAL;
}

/*
 * Called when the list's memory goes away, too, after an error for instance.
 * Then the relation may be closed already: only the list's own memory, the
 * connection and the file are touched.  The second call finds nothing to do.
 */
static void
cancel_stream(void *arg)
{
	SsdparPageList *list = arg;

	if (list->open_requests > 0 && list->method == SSDPAR_PAGES_DAEMON)
	{
		ssdpar_count(SSDPAR_COUNT_WASTED, list->open_requests);
		ssdpar_client_cancel(list->stream);
	}
	list->open_requests = 0;
	list->method = SSDPAR_PAGES_NONE;
	ssdpar_local_read_end(&list->local);
	ssdpar_client_settle();
}

/* The caller's, the user's, the device's, or a guess, in this order. */
static int
choose_depth(const SsdparRelationFile *file, int depth)
{
	if (depth <= 0)
		depth = ssdpar_io_concurrency;
	if (depth <= 0)
		depth = file->device_depth;
	if (depth <= 0)
		depth = DEFAULT_DEPTH;
	return Min(depth, SSDPAR_WIRE_MAX_DEPTH);
}

int
ssdpar_page_depth(Relation rel)
{
	SsdparRelationFile file;

	ssdpar_relation_file(&file, rel, MAIN_FORKNUM);
	return choose_depth(&file, 0);
}

SsdparPageList *
ssdpar_page_list_open(Relation rel, ForkNumber fork, SsdparPageMethod method,
					  int depth)
{
	SsdparPageList *list = palloc0(sizeof(SsdparPageList));

	list->rel = rel;
	list->fork = fork;
	list->method = method;
	ssdpar_relation_file(&list->file, rel, fork);
	ssdpar_local_read_begin(&list->local, rel, fork);
	depth = choose_depth(&list->file, depth);
	if (method == SSDPAR_PAGES_DAEMON)
	{
		list->most_open = (int) ssdpar_lead_of_daemon((uint32_t) depth);
		list->batch = depth;
		list->enough = 2 * depth;
	}
	else
	{
		list->most_open = list->enough = depth;
		list->batch = 1;
	}
	list->stream = ssdpar_client_new_stream();
	list->pace.tablespace = list->file.tablespace;
	list->room = GROW_BLOCKS;
	list->blocks = palloc_array(BlockNumber, list->room);
	list->callback.func = cancel_stream;
	list->callback.arg = list;
	MemoryContextRegisterResetCallback(CurrentMemoryContext, &list->callback);
	return list;
}

/*
 * As PrefetchBuffer() does it, but without starting a read.  The page may come
 * or go as soon as the lock is let go; then a request is made in vain, or the
 * node reads the page by itself.
 *
 * No page may be locked here: a system call or a message follows, for which no
 * writer should wait.  That is asserted by way of interrupts, which every
 * LWLock holds off while it is held.
 */
static bool
is_buffered(Relation rel, ForkNumber fork, BlockNumber block)
{
	BufferTag	tag;
	uint32		hash;
	LWLock	   *lock;
	int			found;

	Assert(InterruptHoldoffCount == 0);
	Assert(!RelationUsesLocalBuffers(rel));
	ssdpar_buffer_tag(&tag, rel, fork, block);
	hash = BufTableHashCode(&tag);
	lock = BufMappingPartitionLock(hash);
	LWLockAcquire(lock, LW_SHARED);
	found = BufTableLookup(&tag, hash);
	LWLockRelease(lock);
	Assert(found < NBuffers);
	return found >= 0;
}

bool
ssdpar_pages_are_buffered(Relation rel, ForkNumber fork,
						  const BlockNumber *blocks, int nblocks)
{
	for (int i = 0; i < nblocks; i++)
		if (!is_buffered(rel, fork, blocks[i]))
			return false;
	return true;
}

/*
 * How many pages from the given position on, up to another, make one request:
 * neighbours in one file.
 */
static uint32
request_length(SsdparPageList *list, uint64 position, uint64 end)
{
	const BlockNumber *blocks = list->blocks + (position - list->first);
	uint64		left = end - position;
	uint32		count = 1;

	while (count < left && count < MERGED_BLOCKS &&
		   blocks[count] == blocks[0] + count &&
		   blocks[count] % RELSEG_SIZE != 0)
		count++;
	return count;
}

/*
 * One request: neighbours, before the given end, up to the first that is in
 * shared buffers.  That one
 * is passed by when it comes to stand first, so that a request has no hole: a
 * page read in vain costs the device as much as one that is wanted.
 *
 * The ring of ends has room: the caller has seen that open_requests is less
 * than most_open, which is at most MAX_OPEN.
 */
static void
announce_request(SsdparPageList *list, uint64 end)
{
	BlockNumber block = list->blocks[list->announced - list->first];
	uint32		neighbours = request_length(list, list->announced, end);
	uint32		count = 0;

	Assert(list->open_requests < list->most_open &&
		   list->most_open <= MAX_OPEN);
	while (count < neighbours &&
		   !is_buffered(list->rel, list->fork, block + count))
		count++;
	if (count == 0)
	{
		list->announced++;
		return;
	}
	if (list->method == SSDPAR_PAGES_LOCAL ||
		!ssdpar_client_add(&list->file, block, count))
	{
		ssdpar_local_read_ahead(&list->local, block, count);
		ssdpar_count(SSDPAR_COUNT_LOCAL, count);
	}
	list->announced += count;
	list->asked += count;
	list->ends[(list->oldest + list->open_requests) % MAX_OPEN] =
		list->announced;
	list->open_requests++;
	list->deepest = Max(list->deepest, list->open_requests);
}

/*
 * Pages are added in batches, and the last request may end where its batch
 * does.  Its neighbours may be in the next one: leave it until then, while
 * other requests keep the device busy.  No deadlock can come of that: with
 * none open it is announced as it is.
 */
static bool
may_grow(SsdparPageList *list)
{
	uint32		count = request_length(list, list->announced, list->total);

	return list->open_requests > 0 && count < MERGED_BLOCKS &&
		list->announced + count == list->total &&
		list->announced > list->consumed + list->enough;
}

/*
 * A node that reads faster than requests are made may have come past what was
 * announced: asking for pages that it has read would be in vain.
 */
static void
announce(SsdparPageList *list)
{
	uint32		allowed;
	uint64		end;

	if (list->method == SSDPAR_PAGES_NONE ||
		list->open_requests > list->most_open - list->batch)
		return;
	if (list->announced < list->consumed)
		list->announced = list->consumed;
	if (list->announced == list->total)
		return;
	allowed = ssdpar_yield_pages(&list->pace);
	end = Min(list->total, list->consumed + allowed);
	if (list->method == SSDPAR_PAGES_DAEMON)
	{
		ssdpar_client_begin(SSDPAR_WIRE_CLASS_RANDOM, list->stream);
		ssdpar_client_allow(allowed);
	}
	while (list->announced < end &&
		   list->open_requests < list->most_open && !may_grow(list))
		announce_request(list, end);
	if (list->method == SSDPAR_PAGES_DAEMON)
		ssdpar_client_end();
}

/*
 * Room for nblocks more.  Blocks that were consumed are of no use any more and
 * are moved out first, so memory is bounded by what is added ahead of the
 * reader, not by the length of the list.  Those consumed but not yet passed by
 * announcing must stay: announced counts from first, too.
 */
static void
make_room(SsdparPageList *list, int nblocks)
{
	uint64		keep_from = Min(list->consumed, list->announced);
	uint64		kept;
	Size		needed;

	if (list->method == SSDPAR_PAGES_NONE)
		keep_from = list->consumed;
	kept = list->total - keep_from;
	if (keep_from > list->first)
		memmove(list->blocks, list->blocks + (keep_from - list->first),
				kept * sizeof(BlockNumber));
	list->first = keep_from;
	needed = add_size(kept, nblocks);
	if (needed <= (Size) list->room)
		return;
	if (needed > MaxAllocSize / sizeof(BlockNumber) / 2)
		elog(ERROR, "page list of %zu pages", needed);
	list->room = needed * 2;
	list->blocks = repalloc(list->blocks, list->room * sizeof(BlockNumber));
}

void
ssdpar_page_list_add(SsdparPageList *list, const BlockNumber *blocks,
					 int nblocks)
{
	if (list->total - list->first + nblocks > (uint64) list->room)
		make_room(list, nblocks);
	memcpy(list->blocks + (list->total - list->first), blocks,
		   nblocks * sizeof(BlockNumber));
	list->total += nblocks;
	announce(list);
}

void
ssdpar_page_list_advance(SsdparPageList *list, uint64 pages)
{
	list->consumed = Min(Max(list->consumed, pages), list->total);
	while (list->open_requests > 0 &&
		   list->ends[list->oldest] <= list->consumed)
	{
		list->oldest = (list->oldest + 1) % MAX_OPEN;
		list->open_requests--;
	}
	announce(list);
}

uint64
ssdpar_page_list_asked(const SsdparPageList *list)
{
	return list->asked;
}

int
ssdpar_page_list_open_requests(const SsdparPageList *list)
{
	return list->open_requests;
}

int
ssdpar_page_list_deepest(const SsdparPageList *list)
{
	return list->deepest;
}

/*
 * The list itself stays until its context goes, since the callback that is
 * registered there points to it and cannot be taken out again.
 */
void
ssdpar_page_list_close(SsdparPageList *list)
{
	cancel_stream(list);
	pfree(list->blocks);
	list->blocks = NULL;
	list->room = 0;
}
