/*
 * read_ahead.c
 *		Hands out the pages of a bitmap in block order, each having been asked
 *		for before it is needed.
 *
 * Page numbers are claimed in ranges (by one process alone, or from the
 * allocator that a parallel scan shares), queued, and announced by a page list,
 * or by the server's own read stream where there is one and the daemon was not
 * asked for.  How many pages to be ahead, without a read stream, is
 * read_distance.c's rule; the list itself limits the requests to the depth, as
 * one request may have many pages.  A read stream has such a rule of its own;
 * its depth is set here.
 *
 * A stream of the server's asynchronous I/O comes nowhere near that depth: it
 * pins what it reads, of which a process may have the share of shared buffers
 * that max_connections leave it, and by default three I/O workers read for all
 * sessions.  So there the list announces as well, ahead of the stream, by the
 * same rule; what the stream then reads is in the page cache.
 *
 * The list yields to who writes by itself.  A stream goes on as deep as it has
 * come to be: to make it yield it is given no more pages, which is to it the
 * end of them, and begun anew when it has come there.  Then it starts with one
 * page and doubles, as any stream.
 *
 * Nothing here knows rows.  A page that was announced and is not read after
 * all, as the query ended, costs the device a read and nothing else.
 */
#include "postgres.h"

#include "executor/instrument.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "utils/guc.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "base/settings.h"
#include "prefetch/page_list.h"
#include "prefetch/read_distance.h"
#include "prefetch/yield.h"
#include "starscan/exec/read_ahead.h"
#include "starscan/star_plan.h"

#ifdef SSDPAR_HAS_READ_STREAM
#include "storage/read_stream.h"
#endif

/* Pages queued at most; a power of two. */
#define QUEUE_PAGES 4096

/* Pages claimed at once in a parallel scan: at most 512 kB of neighbours. */
#define CLAIM_PAGES 64

/* A stream that reads does so once in so many pages, at least. */
#define STREAM_READS_EVERY 256

/* Pages that one request may have, by the size of a request (page_list.h). */
#define PAGES_PER_REQUEST 32

/*
 * Positions count the pages that this process claimed.  Invariant: consumed <=
 * queued < consumed + QUEUE_PAGES, and announced <= queued; announced lags
 * behind consumed while nothing is announced, and is moved up when that
 * begins: with a stream, to the first page that it was not given, consumed <=
 * given <= queued.  The page before the one at consumed is still in the queue,
 * for is_neighbour.
 */
struct SsdparReadAhead
{
	Relation	rel;
	const BlockNumber *blocks;
	uint32		npages;
	SsdparPageAllocator *allocator;
	SsdparReadCounters *counters;
	uint32		claimed;		/* first page number claimed, not queued */
	uint32		claimed_end;	/* the one after the last */

	uint64		queued;
	uint64		announced;
	uint64		consumed;
	uint64		passed;			/* consumed, of those announced */
	uint64		requests;		/* runs of neighbours announced ... */
	uint64		requests_done;	/* ... and come past */
	int			depth;
	SsdparReadDistance distance;
	bool		missed;			/* the last page was not in shared buffers */
	SsdparPageList *list;		/* NULL: nothing is read ahead */
	BufferAccessStrategy ring;	/* NULL: all of shared buffers */
	uint32		queue[QUEUE_PAGES];

#ifdef SSDPAR_HAS_READ_STREAM
	ReadStream *stream;
	SsdparPace	pace;
	uint64		given;			/* position of the first it was not given */
	uint64		read_at;		/* consumed, when it read something last */
	uint32		allowed;		/* given and not got back, at most */
	bool		held_back;		/* a page that there was */
#endif
};

/* Pages that were not in shared buffers, of this process, so far. */
static inline int64
pages_read(void)
{
	return pgBufferUsage.shared_blks_read + pgBufferUsage.local_blks_read;
}

/* The next page number of this process; false after the last one. */
static bool
claim_page(SsdparReadAhead *ahead, uint32 *number)
{
	if (ahead->claimed == ahead->claimed_end)
	{
		uint32		count = 0;

		if (ahead->allocator != NULL)
			count = ssdpar_page_allocator_claim(ahead->allocator, ahead->npages,
												CLAIM_PAGES, &ahead->claimed);
		if (count == 0)
			return false;
		ahead->claimed_end = ahead->claimed + count;
	}
	*number = ahead->claimed++;
	return true;
}

static inline uint32
queued_page(const SsdparReadAhead *ahead, uint64 position)
{
	return ahead->queue[position % QUEUE_PAGES];
}

/* Is the page at this position the neighbour of the one before it? */
static bool
is_neighbour(const SsdparReadAhead *ahead, uint64 position)
{
	return position > 0 &&
		ahead->blocks[queued_page(ahead, position)] ==
		ahead->blocks[queued_page(ahead, position - 1)] + 1;
}

/*
 * Claim pages up to the distance, one at least.  Towards the end of a parallel
 * scan fewer: what others could read while this process is busy must not pile
 * up here.
 */
static void
queue_pages(SsdparReadAhead *ahead)
{
	uint32		distance = ahead->distance.distance;
	uint32		number;
	uint64		until;

	if (ahead->allocator != NULL && ahead->queued > 0)
	{
		uint32		left = ahead->npages -
			queued_page(ahead, ahead->queued - 1);
		uint32		fair = left / (2 * ahead->allocator->nprocesses);

		distance = Min(distance, Max(fair, (uint32) ahead->depth));
	}
	until = ahead->consumed + Max(distance, 1);
	while (ahead->queued < until && claim_page(ahead, &number))
		ahead->queue[ahead->queued++ % QUEUE_PAGES] = number;
	Assert(ahead->queued < ahead->consumed + QUEUE_PAGES);
}

/* The first page that nobody has asked for, or read. */
static inline uint64
first_unasked(const SsdparReadAhead *ahead)
{
	uint64		first = Max(ahead->announced, ahead->consumed);

#ifdef SSDPAR_HAS_READ_STREAM
	first = Max(first, ahead->given);
#endif
	return first;
}

/* Tell the list of all that is queued. */
static void
announce(SsdparReadAhead *ahead)
{
	BlockNumber blocks[CLAIM_PAGES];
	int			n = 0;

	ahead->announced = first_unasked(ahead);
	ahead->counters->asked += ahead->queued - ahead->announced;
	for (; ahead->announced < ahead->queued; ahead->announced++)
	{
		if (is_neighbour(ahead, ahead->announced))
			ahead->counters->merged++;
		else
			ahead->requests++;
		blocks[n++] = ahead->blocks[queued_page(ahead, ahead->announced)];
		if (n == CLAIM_PAGES)
		{
			ssdpar_page_list_add(ahead->list, blocks, n);
			n = 0;
		}
	}
	if (n > 0)
		ssdpar_page_list_add(ahead->list, blocks, n);
}

/* The queue is filled again when half of the distance has been read. */
static void
fill_queue(SsdparReadAhead *ahead)
{
	if (ahead->queued - ahead->consumed > ahead->distance.distance / 2)
		return;
	queue_pages(ahead);
	if (ahead->distance.distance > 0)
		announce(ahead);
}

/* The page at position consumed has been read. */
static void
consumed_page(SsdparReadAhead *ahead, bool was_announced, bool hit,
			  bool waited)
{
	SsdparReadCounters *counters = ahead->counters;

	if (was_announced && !is_neighbour(ahead, ahead->consumed) &&
		ahead->requests_done < ahead->requests)
		ahead->requests_done++;
	ahead->consumed++;
	if (was_announced)
	{
		uint64		requests = ahead->requests - ahead->requests_done;

		ssdpar_page_list_advance(ahead->list, ++ahead->passed);
		requests = Min(requests,
					   ssdpar_page_list_open_requests(ahead->list));
		counters->depth_sum += requests;
		counters->depth_n++;
		counters->depth_max = Max(counters->depth_max, requests);
	}
	counters->waits += waited;
	ssdpar_read_distance_note(&ahead->distance, hit, waited);
}

/*
 * Read a page, and say whether that waited.  The clock is looked at only where
 * the page before was not in shared buffers: never in a table that is.
 */
static Buffer
read_page(SsdparReadAhead *ahead, BlockNumber block, bool *waited)
{
	int64		before = pages_read();
	bool		timed = ahead->missed;
	instr_time	start;
	instr_time	duration;
	Buffer		buffer;

	if (timed)
		INSTR_TIME_SET_CURRENT(start);
	buffer = ReadBufferExtended(ahead->rel, MAIN_FORKNUM, block, RBM_NORMAL,
								ahead->ring);
	ahead->missed = pages_read() != before;
	*waited = false;
	if (timed && ahead->missed)
	{
		INSTR_TIME_SET_CURRENT(duration);
		INSTR_TIME_SUBTRACT(duration, start);
		*waited = INSTR_TIME_GET_MICROSEC(duration) > SSDPAR_WAIT_US;
	}
	ahead->counters->pages++;
	ahead->counters->reads += ahead->missed;
	return buffer;
}

static Buffer
next_from_queue(SsdparReadAhead *ahead, uint32 *number)
{
	Buffer		buffer;
	bool		waited;

	fill_queue(ahead);
	if (ahead->consumed == ahead->queued)
		return InvalidBuffer;
	*number = queued_page(ahead, ahead->consumed);
	buffer = read_page(ahead, ahead->blocks[*number], &waited);
	consumed_page(ahead, ahead->consumed < ahead->announced, !ahead->missed,
				  waited);
	return buffer;
}

/*
 * The server's read stream.
 */
#ifdef SSDPAR_HAS_READ_STREAM

/* The callback neither blocks nor reads, which batching asks for. */
#ifdef READ_STREAM_USE_BATCHING
#define STREAM_FLAGS READ_STREAM_USE_BATCHING
#else
#define STREAM_FLAGS READ_STREAM_DEFAULT
#endif

/* What a page has beside it on its way through the stream. */
typedef struct StreamPage
{
	uint32		number;
	bool		announced;
} StreamPage;

static BlockNumber
next_block(ReadStream *stream, void *callback_private, void *data)
{
	SsdparReadAhead *ahead = callback_private;
	StreamPage *page = data;

	if (ahead->given - ahead->consumed >= ahead->allowed)
	{
		ahead->held_back = true;
		return InvalidBlockNumber;
	}
	if (ahead->given == ahead->queued)
	{
		if (!claim_page(ahead, &page->number))
			return InvalidBlockNumber;
		ahead->queue[ahead->queued++ % QUEUE_PAGES] = page->number;
	}
	page->number = queued_page(ahead, ahead->given);
	page->announced = ahead->given < ahead->announced;
	ahead->given++;
	return ahead->blocks[page->number];
}

/* Pages that the stream may have. */
static void
allow_pages(SsdparReadAhead *ahead)
{
	ahead->allowed = Min(ssdpar_yield_pages(&ahead->pace), QUEUE_PAGES - 1);
}

/*
 * A stream takes its depth from effective_io_concurrency when it begins, so
 * that is set to ours meanwhile.  A tablespace's own value goes before.
 *
 * Nothing of the user's runs before the level is closed.  An error in between
 * ends the transaction, or its savepoint, and that closes all levels.
 */
static void
begin_stream(SsdparReadAhead *ahead)
{
	int			users PG_USED_FOR_ASSERTS_ONLY = effective_io_concurrency;
	int			level = NewGUCNestLevel();
	char	   *depth = psprintf("%d", Min(ahead->depth,
										   MAX_IO_CONCURRENCY));

	(void) set_config_option("effective_io_concurrency", depth, PGC_USERSET,
							 PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
	Assert(effective_io_concurrency == Min(ahead->depth, MAX_IO_CONCURRENCY));
	ahead->pace.tablespace = ahead->rel->rd_locator.spcOid;
	allow_pages(ahead);
	ahead->stream = read_stream_begin_relation(STREAM_FLAGS, ahead->ring,
											   ahead->rel,
											   MAIN_FORKNUM, next_block,
											   ahead, sizeof(StreamPage));
	AtEOXact_GUC(true, level);
#ifdef SSDPAR_HAS_EXPLAIN_IO
	if (ahead->counters->io.wanted)
		read_stream_enable_stats(ahead->stream, &ahead->counters->io.core);
#endif
	Assert(effective_io_concurrency == users);
	pfree(depth);
}

/* All that the stream was given has come; go on with what was held back. */
static Buffer
begin_anew(SsdparReadAhead *ahead, void **data)
{
	Assert(ahead->given == ahead->consumed && ahead->allowed > 0);
	ahead->held_back = false;
	read_stream_reset(ahead->stream);
	return read_stream_next_buffer(ahead->stream, data);
}

/* From the stream, begun anew if it was held back. */
static Buffer
take_from_stream(SsdparReadAhead *ahead, StreamPage **page)
{
	void	   *data;
	Buffer		buffer = read_stream_next_buffer(ahead->stream, &data);

	if (!BufferIsValid(buffer) && ahead->held_back)
		buffer = begin_anew(ahead, &data);
	*page = data;
	return buffer;
}

/*
 * The clock is looked at while the stream reads, as in read_page(): it starts
 * reads for many pages at a time.
 */
static Buffer
next_from_stream(SsdparReadAhead *ahead, uint32 *number)
{
	int64		before = pages_read();
	bool		timed = ahead->list != NULL &&
		ahead->consumed - ahead->read_at <= STREAM_READS_EVERY;
	bool		waited = false;
	instr_time	start;
	instr_time	duration;
	StreamPage *page;
	Buffer		buffer;
	int64		reads;

	if (ahead->list != NULL)
		fill_queue(ahead);
	if (timed)
		INSTR_TIME_SET_CURRENT(start);
	buffer = take_from_stream(ahead, &page);
	if (!BufferIsValid(buffer))
		return InvalidBuffer;
	if (timed)
	{
		INSTR_TIME_SET_CURRENT(duration);
		INSTR_TIME_SUBTRACT(duration, start);
		waited = INSTR_TIME_GET_MICROSEC(duration) > SSDPAR_WAIT_US;
	}
	*number = page->number;
	reads = pages_read() - before;
	if (reads > 0)
		ahead->read_at = ahead->consumed;
	consumed_page(ahead, page->announced, reads == 0, waited);
	if (reads > 0 || ahead->held_back)
		allow_pages(ahead);
	ahead->counters->pages++;
	ahead->counters->reads += reads;
	return buffer;
}

/* off reads nothing ahead, daemon asks the daemon: neither is a stream. */
static bool
wants_stream(Relation rel)
{
	return ssdpar_enabled &&
		(ssdpar_prefetch == SSDPAR_PREFETCH_AUTO ||
		 ssdpar_prefetch == SSDPAR_PREFETCH_LOCAL);
}

#endif							/* SSDPAR_HAS_READ_STREAM */

const char *
ssdpar_read_ahead_method(Relation rel)
{
#ifdef SSDPAR_HAS_READ_STREAM
	if (wants_stream(rel))
		return "read stream";
#endif
	switch (ssdpar_page_method(rel))
	{
		case SSDPAR_PAGES_NONE:
			return "none";
		case SSDPAR_PAGES_LOCAL:
			return "server";
		case SSDPAR_PAGES_DAEMON:
			return "daemon";
	}
	return "none";				/* keep compilers quiet */
}

/*
 * A small ring stays in the processor's cache besides: of 42,517 pages 0.1 s
 * of 0.4.  A read stream needs room for all that it has under way.
 */
static BufferAccessStrategy
ring_for(const SsdparReadAhead *ahead)
{
	if (RelationUsesLocalBuffers(ahead->rel) ||
		!ssdpar_star_uses_ring(ahead->npages))
		return NULL;
#ifdef SSDPAR_HAS_READ_STREAM
	return GetAccessStrategyWithSize(BAS_BULKREAD, (ahead->depth + 1) *
									 io_combine_limit * (BLCKSZ / 1024));
#else
	return GetAccessStrategy(BAS_BULKREAD);
#endif
}

SsdparReadAhead *
ssdpar_read_ahead_begin(Relation rel, const SsdparTidPages *pages,
						SsdparPageAllocator *allocator,
						SsdparReadCounters *counters)
{
	SsdparReadAhead *ahead = palloc0_object(SsdparReadAhead);
	SsdparPageMethod method = ssdpar_page_method(rel);
	uint32		max = 0;

	ahead->rel = rel;
	ahead->blocks = ssdpar_tid_pages_blocks(pages);
	ahead->npages = ssdpar_tid_pages_count(pages);
	ahead->allocator = allocator;
	ahead->counters = counters;
	ahead->depth = ssdpar_page_depth(rel);
	ahead->ring = ring_for(ahead);
	if (allocator == NULL)
		ahead->claimed_end = ahead->npages;
#ifdef SSDPAR_HAS_READ_STREAM
	if (wants_stream(rel))
	{
		begin_stream(ahead);
		if (!ssdpar_asynchronous_io())
			return ahead;
	}
#endif
	if (method != SSDPAR_PAGES_NONE)
	{
		ahead->list = ssdpar_page_list_open(rel, MAIN_FORKNUM, method,
											ahead->depth);
		max = Min(ahead->depth * PAGES_PER_REQUEST, QUEUE_PAGES - 1);
	}
	ssdpar_read_distance_init(&ahead->distance, max);
	ahead->missed = true;		/* time the first read */
	return ahead;
}

Buffer
ssdpar_read_ahead_next(SsdparReadAhead *ahead, uint32 *number)
{
#ifdef SSDPAR_HAS_READ_STREAM
	if (ahead->stream)
		return next_from_stream(ahead, number);
#endif
	return next_from_queue(ahead, number);
}

void
ssdpar_read_ahead_end(SsdparReadAhead *ahead)
{
#ifdef SSDPAR_HAS_READ_STREAM
	if (ahead->stream)
		read_stream_end(ahead->stream);
#endif
	if (ahead->list)
		ssdpar_page_list_close(ahead->list);
	if (ahead->ring)
		FreeAccessStrategy(ahead->ring);
}
