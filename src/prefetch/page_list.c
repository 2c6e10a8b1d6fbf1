/*
 * page_list.c
 *		Reads an exact list of a relation's pages ahead of the node that needs
 *		them.
 *
 * The list is cut into requests as it is announced.  A request counts against
 * the depth from being announced until the node has come past its last page;
 * its own completion nobody waits for.  Requests are sent a quarter of the
 * depth at a time, so that a message carries several.
 *
 * What order the pages should be read in is the caller's business.
 */
#include "postgres.h"

#include "storage/bufmgr.h"
#include "utils/memutils.h"
#include "utils/rel.h"

#include "compat.h"
#include "prefetch/client.h"
#include "prefetch/page_list.h"
#include "settings.h"
#include "stats/counters.h"

#define MERGED_BLOCKS (256 * 1024 / BLCKSZ)
#define DEFAULT_DEPTH 32

/* Room for blocks made at once, at least. */
#define GROW_BLOCKS 1024

/*
 * Positions count the pages ever added; blocks[0] is the one at first.
 * Invariants: first <= consumed <= total, first <= announced <= total,
 * open_requests <= depth.
 */
struct SsdparPageList
{
	Relation	rel;
	ForkNumber	fork;
	SsdparPageMethod method;
	SsdparRelationFile file;
	uint32		stream;
	int			depth;
	BlockNumber *blocks;
	int			room;			/* in blocks */
	uint64		first;
	uint64		consumed;		/* read by the node */
	uint64		announced;
	uint64		total;
	int			open_requests;	/* announced, and not all of it consumed */
	int			oldest;			/* of these, in ends */
	uint64		ends[SSDPAR_MAX_DEPTH]; /* position after each one, a ring */
	MemoryContextCallback callback;
};

SsdparPageMethod
ssdpar_page_method(Relation rel)
{
	if (!ssdpar_enabled || ssdpar_prefetch == SSDPAR_PREFETCH_OFF ||
		ssdpar_direct_io() || RelationUsesLocalBuffers(rel))
		return SSDPAR_PAGES_NONE;
	return ssdpar_prefetch == SSDPAR_PREFETCH_LOCAL ? SSDPAR_PAGES_LOCAL
		: SSDPAR_PAGES_DAEMON;
}

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
	ssdpar_client_settle();
}

static int
choose_depth(const SsdparRelationFile *file, int depth)
{
	if (depth <= 0)
		depth = ssdpar_io_concurrency;
	if (depth <= 0)
		depth = file->device_depth;
	if (depth <= 0)
		depth = DEFAULT_DEPTH;
	return Min(depth, SSDPAR_MAX_DEPTH);
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
	list->depth = choose_depth(&list->file, depth);
	list->stream = ssdpar_client_new_stream();
	list->room = GROW_BLOCKS;
	list->blocks = palloc_array(BlockNumber, list->room);
	list->callback.func = cancel_stream;
	list->callback.arg = list;
	MemoryContextRegisterResetCallback(CurrentMemoryContext, &list->callback);
	return list;
}

/*
 * How many pages from the given position on make one request: neighbours in
 * one file.
 */
static uint32
request_length(SsdparPageList *list, uint64 position)
{
	const BlockNumber *blocks = list->blocks + (position - list->first);
	uint64		left = list->total - position;
	uint32		count = 1;

	while (count < left && count < MERGED_BLOCKS &&
		   blocks[count] == blocks[0] + count &&
		   blocks[count] % RELSEG_SIZE != 0)
		count++;
	return count;
}

static void
prefetch_here(SsdparPageList *list, BlockNumber block, uint32 count)
{
	for (uint32 i = 0; i < count; i++)
		PrefetchBuffer(list->rel, list->fork, block + i);
	ssdpar_count(SSDPAR_COUNT_LOCAL, count);
}

static void
announce_request(SsdparPageList *list)
{
	uint32		count = request_length(list, list->announced);
	BlockNumber block = list->blocks[list->announced - list->first];

	if (list->method == SSDPAR_PAGES_LOCAL ||
		!ssdpar_client_add(&list->file, block, count))
		prefetch_here(list, block, count);
	list->announced += count;
	list->ends[(list->oldest + list->open_requests) % SSDPAR_MAX_DEPTH] =
		list->announced;
	list->open_requests++;
}

/* The list's last request may still grow: leave it, if others are open. */
static bool
may_grow(SsdparPageList *list)
{
	uint32		count = request_length(list, list->announced);

	return list->open_requests > 0 && count < MERGED_BLOCKS &&
		list->announced + count == list->total &&
		list->announced > list->consumed + list->depth;
}

static void
announce(SsdparPageList *list)
{
	int			batch = Max(1, list->depth / 4);

	if (list->method == SSDPAR_PAGES_NONE ||
		list->open_requests > list->depth - batch)
		return;
	if (list->announced < list->consumed)
		list->announced = list->consumed;
	if (list->method == SSDPAR_PAGES_DAEMON)
		ssdpar_client_begin(SSDPAR_CLASS_RANDOM, list->stream);
	while (list->announced < list->total &&
		   list->open_requests < list->depth && !may_grow(list))
		announce_request(list);
	if (list->method == SSDPAR_PAGES_DAEMON)
		ssdpar_client_end();
}

/* Room for so many more blocks, those that were consumed going first. */
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
		list->oldest = (list->oldest + 1) % SSDPAR_MAX_DEPTH;
		list->open_requests--;
	}
	announce(list);
}

void
ssdpar_page_list_cancel(SsdparPageList *list)
{
	SsdparPageMethod method = list->method;

	cancel_stream(list);
	list->method = method;
	list->consumed = list->total;
	list->announced = list->total;
}

void
ssdpar_page_list_close(SsdparPageList *list)
{
	cancel_stream(list);
	pfree(list->blocks);
	list->blocks = NULL;
	list->room = 0;
}
