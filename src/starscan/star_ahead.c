/*
 * star_ahead.c
 *		Hands out the pages of a bitmap in block order, each having been asked
 *		for before it is needed.
 *
 * Page numbers are claimed in ranges (by one process alone, or from the
 * cursor that a parallel scan shares), queued, and announced by a page list,
 * or by the server's own read stream where there is one and nobody asked for
 * the daemon.
 *
 * How many pages to be ahead, without a read stream, follows from what reading
 * them is like:
 *
 *		quiet	nothing is announced: so it begins, and so it is again after
 *				QUIET_PAGES in shared buffers in a row
 *		ahead	so many pages; a read that waits doubles it, once for each
 *				time that so many pages have gone by; many in a row that
 *				do not wait halve it, down to quiet
 *
 * Reads that do not wait may be fast because of what was announced, or because
 * all is in the page cache anyway: halving finds out.  If a read soon waits
 * again it was the former, and the next try comes twice as late.  A read can
 * seem to wait when the process was only interrupted, so it takes two close
 * to each other to leave quiet, but for the very first.
 *
 * So a query that ends after a few rows (LIMIT) has asked for a few pages too
 * many, a table in memory costs no request at all, and a cold one is read at
 * full depth after some tens of pages.  The list itself limits the requests to
 * the depth; ahead counts pages, of which one request may have many.
 *
 * A read stream has such a rule of its own; its depth is set here.
 */
#include "postgres.h"

#include "executor/instrument.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "utils/guc.h"
#include "utils/rel.h"

#include "compat.h"
#include "prefetch/page_list.h"
#include "settings.h"
#include "starscan/star_ahead.h"

#ifdef SSDPAR_HAS_READ_STREAM
#include "storage/read_stream.h"
#endif

/* Pages queued at most; a power of two. */
#define QUEUE_PAGES 4096

/* Pages claimed at once, in a parallel scan. */
#define CLAIM_PAGES 64

#define FIRST_AHEAD 4
#define QUIET_PAGES 256

/* Reads in a row without a wait before halving: at first, and at most. */
#define FIRST_PATIENCE 256
#define MOST_PATIENCE 65536

/* Two waits so many pages apart are not by chance. */
#define NEAR_PAGES 16

/* A read that takes longer has waited for the device (a copy takes 1 to 5). */
#define WAIT_US 30.0

/*
 * Positions count the pages that this process claimed: consumed <= announced
 * <= queued < consumed + QUEUE_PAGES, but for announced while quiet.  The page
 * before the one at consumed is still in the queue.
 */
struct SsdparStarAhead
{
	Relation	rel;
	const BlockNumber *blocks;
	uint32		npages;
	SsdparStarShared *shared;
	SsdparStarCounters *counters;
	uint32		claimed;		/* first page number claimed, not queued */
	uint32		claimed_end;	/* the one after the last */

	uint64		queued;
	uint64		announced;
	uint64		consumed;
	uint64		skipped;		/* consumed without having been announced */
	uint64		requests;		/* runs of neighbours announced ... */
	uint64		requests_done;	/* ... and come past */
	int			depth;
	uint32		ahead;			/* 0: quiet */
	uint64		grown_at;		/* consumed when ahead grew last */
	uint64		waited_at;		/* consumed when a read waited last */
	uint64		shrunk_at;		/* consumed when ahead was halved last, or 0 */
	uint32		patience;
	uint32		calm;			/* pages since a wait, or a halving */
	uint32		hits_in_a_row;
	bool		missed;			/* the last page was not in shared buffers */
	SsdparPageList *list;		/* NULL: nobody reads ahead */
	BufferAccessStrategy ring;	/* NULL: all of shared buffers */
	uint32		queue[QUEUE_PAGES];

#ifdef SSDPAR_HAS_READ_STREAM
	ReadStream *stream;
#endif
};

/*
 * Claiming.
 */

/* The next page number of this process; false after the last one. */
static bool
claim_page(SsdparStarAhead *ahead, uint32 *number)
{
	if (ahead->claimed == ahead->claimed_end)
	{
		uint32		count;

		if (ahead->shared == NULL)
			return false;
		count = ssdpar_star_claim_pages(ahead->shared, ahead->npages,
										CLAIM_PAGES, &ahead->claimed);
		ahead->claimed_end = ahead->claimed + count;
		if (count == 0)
			return false;
	}
	*number = ahead->claimed++;
	return true;
}

static inline uint32
queued_page(const SsdparStarAhead *ahead, uint64 position)
{
	return ahead->queue[position % QUEUE_PAGES];
}

/* Is the page at this position the neighbour of the one before it? */
static bool
is_neighbour(const SsdparStarAhead *ahead, uint64 position)
{
	return position > 0 &&
		ahead->blocks[queued_page(ahead, position)] ==
		ahead->blocks[queued_page(ahead, position - 1)] + 1;
}

/* What others could read while this process is busy must not pile up here. */
static uint32
fair_ahead(const SsdparStarAhead *ahead)
{
	uint32		fair = ahead->ahead;

	if (ahead->shared != NULL && ahead->queued > 0)
	{
		uint32		left = ahead->npages -
			queued_page(ahead, ahead->queued - 1);
		int			processes = ssdpar_star_processes(ahead->shared);

		fair = Min(fair, Max(left / (2 * processes), (uint32) ahead->depth));
	}
	return fair;
}

static void
queue_pages(SsdparStarAhead *ahead)
{
	uint64		until = ahead->consumed + Max(fair_ahead(ahead), 1);
	uint32		number;

	while (ahead->queued < until && claim_page(ahead, &number))
		ahead->queue[ahead->queued++ % QUEUE_PAGES] = number;
}

/*
 * Announcing.
 */

static void
count_depth(SsdparStarAhead *ahead)
{
	uint64		requests = Min(ahead->requests - ahead->requests_done,
							   (uint64) ahead->depth);
	SsdparStarCounters *counters = ahead->counters;

	counters->depth_sum += requests;
	counters->depth_n++;
	counters->depth_max = Max(counters->depth_max, requests);
}

static void
announce(SsdparStarAhead *ahead)
{
	BlockNumber blocks[CLAIM_PAGES];
	int			n = 0;

	if (ahead->announced < ahead->consumed)
	{
		ahead->skipped += ahead->consumed - ahead->announced;
		ahead->announced = ahead->consumed;
	}
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

/* Keep the queue filled, half of what is to be ahead at a time. */
static void
look_ahead(SsdparStarAhead *ahead)
{
	uint64		left = ahead->queued - ahead->consumed;

	if (left > ahead->ahead / 2)
		return;
	queue_pages(ahead);
	if (ahead->ahead > 0 && ahead->list != NULL)
		announce(ahead);
}

/* So long a calm says that half as much may do. */
static uint32
needed_calm(const SsdparStarAhead *ahead)
{
	return Max(ahead->patience, 2 * ahead->ahead);
}

static void
grow(SsdparStarAhead *ahead)
{
	uint32		most = Min(ahead->depth * 32, QUEUE_PAGES - 1);

	if (ahead->list == NULL ||
		ahead->consumed - ahead->grown_at < ahead->ahead / 2)
		return;
	ahead->ahead = Min(Max(ahead->ahead * 2, FIRST_AHEAD), most);
	ahead->grown_at = ahead->consumed;
}

static void
shrink(SsdparStarAhead *ahead)
{
	ahead->ahead = ahead->ahead > FIRST_AHEAD ? ahead->ahead / 2 : 0;
	ahead->shrunk_at = ahead->consumed;
	ahead->calm = 0;
}

static void
note_wait(SsdparStarAhead *ahead)
{
	bool		near = ahead->consumed - ahead->waited_at <= NEAR_PAGES;

	ahead->counters->waits++;
	ahead->waited_at = ahead->consumed;
	if (ahead->shrunk_at > 0 && ahead->calm < needed_calm(ahead))
		ahead->patience = Min(ahead->patience * 2, MOST_PATIENCE);
	ahead->shrunk_at = 0;
	ahead->calm = 0;
	if (near || ahead->ahead > 0)
		grow(ahead);
}

/* The page at position consumed has been read. */
static void
consumed_page(SsdparStarAhead *ahead, bool waited)
{
	bool		was_announced = ahead->consumed < ahead->announced;

	ahead->hits_in_a_row = ahead->missed ? 0 : ahead->hits_in_a_row + 1;
	if (was_announced && !is_neighbour(ahead, ahead->consumed) &&
		ahead->requests_done < ahead->requests)
		ahead->requests_done++;
	ahead->consumed++;
	if (was_announced)
	{
		ssdpar_page_list_advance(ahead->list,
								 ahead->consumed - ahead->skipped);
		count_depth(ahead);
	}
	if (waited)
		note_wait(ahead);
	else if (ahead->hits_in_a_row >= QUIET_PAGES)
		ahead->ahead = 0;
	else if (ahead->ahead > 0 && ++ahead->calm >= needed_calm(ahead))
		shrink(ahead);
}

/*
 * Reading.
 */

/* Was the page in shared buffers, and if not, did reading it wait? */
static Buffer
read_page(SsdparStarAhead *ahead, BlockNumber block, bool *waited)
{
	int64		reads = pgBufferUsage.shared_blks_read +
		pgBufferUsage.local_blks_read;
	bool		timed = ahead->missed;
	instr_time	start;
	instr_time	duration;
	Buffer		buffer;

	if (timed)
		INSTR_TIME_SET_CURRENT(start);
	buffer = ReadBufferExtended(ahead->rel, MAIN_FORKNUM, block, RBM_NORMAL,
								ahead->ring);
	ahead->missed = pgBufferUsage.shared_blks_read +
		pgBufferUsage.local_blks_read != reads;
	*waited = false;
	if (timed && ahead->missed)
	{
		INSTR_TIME_SET_CURRENT(duration);
		INSTR_TIME_SUBTRACT(duration, start);
		*waited = INSTR_TIME_GET_MICROSEC(duration) > WAIT_US;
	}
	ahead->counters->pages++;
	if (ahead->missed)
		ahead->counters->reads++;
	return buffer;
}

static Buffer
next_from_queue(SsdparStarAhead *ahead, uint32 *number)
{
	Buffer		buffer;
	bool		waited;

	look_ahead(ahead);
	if (ahead->consumed == ahead->queued)
		return InvalidBuffer;
	*number = queued_page(ahead, ahead->consumed);
	buffer = read_page(ahead, ahead->blocks[*number], &waited);
	consumed_page(ahead, waited);
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

static BlockNumber
next_block(ReadStream *stream, void *callback_private, void *number)
{
	SsdparStarAhead *ahead = callback_private;

	if (!claim_page(ahead, number))
		return InvalidBlockNumber;
	return ahead->blocks[*(uint32 *) number];
}

/*
 * A stream takes its depth from effective_io_concurrency when it begins, so
 * that is set to ours meanwhile.  A tablespace's own value goes before.
 */
static void
begin_stream(SsdparStarAhead *ahead)
{
	int			level = NewGUCNestLevel();
	char	   *depth = psprintf("%d", Min(ahead->depth,
										   MAX_IO_CONCURRENCY));

	(void) set_config_option("effective_io_concurrency", depth, PGC_USERSET,
							 PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
	ahead->stream = read_stream_begin_relation(STREAM_FLAGS, ahead->ring,
											   ahead->rel,
											   MAIN_FORKNUM, next_block,
											   ahead, sizeof(uint32));
	AtEOXact_GUC(true, level);
	pfree(depth);
}

static Buffer
next_from_stream(SsdparStarAhead *ahead, uint32 *number)
{
	int64		reads = pgBufferUsage.shared_blks_read +
		pgBufferUsage.local_blks_read;
	void	   *data;
	Buffer		buffer = read_stream_next_buffer(ahead->stream, &data);

	if (!BufferIsValid(buffer))
		return InvalidBuffer;
	*number = *(uint32 *) data;
	ahead->counters->pages++;
	ahead->counters->reads += pgBufferUsage.shared_blks_read +
		pgBufferUsage.local_blks_read - reads;
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

/*
 * Beginning and ending.
 */

const char *
ssdpar_star_ahead_method(Relation rel)
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

static void
begin_list(SsdparStarAhead *ahead)
{
	SsdparPageMethod method = ssdpar_page_method(ahead->rel);

	ahead->missed = true;		/* time the first read */
	ahead->patience = FIRST_PATIENCE;
	if (method != SSDPAR_PAGES_NONE)
		ahead->list = ssdpar_page_list_open(ahead->rel, MAIN_FORKNUM, method,
											ahead->depth);
}

/*
 * A small ring stays in the processor's cache besides: of 42,517 pages 0.1 s of
 * 0.4.  A read stream needs room for all that it has under way.
 */
static BufferAccessStrategy
ring_for(const SsdparStarAhead *ahead)
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

SsdparStarAhead *
ssdpar_star_ahead_begin(SsdparStarState *state)
{
	SsdparStarAhead *ahead = palloc0_object(SsdparStarAhead);

	ahead->rel = state->css.ss.ss_currentRelation;
	ahead->blocks = ssdpar_tid_pages_blocks(state->pages);
	ahead->npages = ssdpar_tid_pages_count(state->pages);
	ahead->shared = state->shared;
	ahead->counters = state->counters;
	ahead->depth = ssdpar_page_depth(ahead->rel);
	ahead->ring = ring_for(ahead);
	if (state->shared == NULL)
		ahead->claimed_end = ahead->npages;
#ifdef SSDPAR_HAS_READ_STREAM
	if (wants_stream(ahead->rel))
	{
		begin_stream(ahead);
		return ahead;
	}
#endif
	begin_list(ahead);
	return ahead;
}

Buffer
ssdpar_star_ahead_next(SsdparStarAhead *ahead, uint32 *number)
{
#ifdef SSDPAR_HAS_READ_STREAM
	if (ahead->stream)
		return next_from_stream(ahead, number);
#endif
	return next_from_queue(ahead, number);
}

void
ssdpar_star_ahead_end(SsdparStarAhead *ahead)
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
