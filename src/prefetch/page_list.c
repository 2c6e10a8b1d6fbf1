/*
 * page_list.c
 *		Reads an exact list of a relation's pages ahead of the node that
 *		needs them.
 *
 * The list is divided into requests as it is announced.  A request counts
 * against the depth from its announcement until the node has passed its last
 * page; the completion of the read is not tracked.  Pages in shared buffers
 * need no request.
 *
 * The server's own method starts each read immediately, as soon as another one
 * has been consumed; the daemon is told more in advance (page_lead.h).
 *
 * While a process waits for a write, the list keeps fewer pages ahead
 * (yield.c), counted from the page that the node reads next.
 *
 * The caller chooses the order in which pages are read.
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

/* Minimum number of blocks to allocate at once. */
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
	int			enough;			/* number of pages ahead that keep the device
								 * busy */
	BlockNumber *blocks;
	int			room;			/* allocated size of blocks */
	uint64		first;
	uint64		consumed;		/* read by the node */
	uint64		announced;
	uint64		total;
	int			open_requests;	/* announced and not completely consumed */
	int			deepest;		/* maximum of open_requests so far */
	int			oldest;			/* index in ends of the oldest of these */
	uint64		ends[MAX_OPEN]; /* position after each request; a ring buffer */
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
 * Also called when the list's memory is freed, for instance after an error.
 * The relation may be closed by then, so only the list's memory, the
 * connection and the file are used.  A second call does nothing.
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

/*
 * Uses the depth of the caller, the user, the device, or a guess, in this
 * order.
 */
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
 * Does what PrefetchBuffer() does, but without starting a read.  The page may
 * be loaded or evicted as soon as the lock is released; then a request is
 * useless, or the node reads the page itself.
 *
 * No page may be locked here, because a system call or a message follows, for
 * which no writer should wait.  This is asserted through interrupts, which are
 * held off while an LWLock is held.
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
 * Number of pages from the given position up to end that form one request:
 * neighbors in one file.
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
 * Announces one request: neighbors before the given end, up to the first one
 * in shared buffers.  That page is skipped when it becomes the first one, so a
 * request has no hole, because reading an unneeded page costs the device as
 * much as reading a needed one.
 *
 * The ring of ends has room: the caller has checked that open_requests is less
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
	list->ends[(list->oldest + list->open_requests) % MAX_OPEN] =
		list->announced;
	list->open_requests++;
	list->deepest = Max(list->deepest, list->open_requests);
}

/*
 * Pages are added in batches, and the last request may end where its batch
 * does although its neighbors may be in the next batch.  Defer it until then
 * while other requests keep the device busy.  This cannot deadlock, because
 * the request is announced as it is if no other one is open.
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
 * A node that reads faster than requests are made may have passed the
 * announced pages; pages it has already read need not be requested.
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
 * Makes room for nblocks more.  Consumed blocks are removed first, so the
 * memory is bounded by the pages added ahead of the reader, not by the length
 * of the list.  Consumed blocks that have not been announced yet must stay,
 * because announced is relative to first as well.
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
 * The list itself is freed with its context, since the callback that is
 * registered there points to it and cannot be unregistered.
 */
void
ssdpar_page_list_close(SsdparPageList *list)
{
	cancel_stream(list);
	pfree(list->blocks);
	list->blocks = NULL;
	list->room = 0;
}
