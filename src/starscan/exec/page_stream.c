/*
 * page_stream.c
 *		The pages of a queue by the server's own read stream, since 17.
 *
 * A stream has a rule of its own how far to be ahead; its depth is set here.
 *
 * A stream of the server's asynchronous I/O comes nowhere near that depth: it
 * pins what it reads, of which a process may have the share of shared buffers
 * that max_connections leave it, and by default three I/O workers read for all
 * sessions.  So there the queue announces as well, ahead of the stream; what
 * the stream then reads is in the page cache.
 *
 * What is announced yields to who writes by itself.  A stream goes on as deep
 * as it has come to be: to make it yield it is given no more pages, which is
 * to it the end of them, and begun anew when it has come there.  Then it starts
 * with one page and doubles, as any stream.
 */
#include "postgres.h"

#include "executor/instrument.h"
#include "storage/bufmgr.h"
#include "utils/guc.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "prefetch/read_timer.h"
#include "prefetch/yield.h"
#include "starscan/exec/page_stream.h"

#ifdef SSDPAR_HAS_READ_STREAM

#include "storage/read_stream.h"

/* A stream that reads does so once in so many pages, at least. */
#define STREAM_READS_EVERY 256

struct SsdparPageStream
{
	SsdparPageQueue *queue;
	ReadStream *stream;
	SsdparPace	pace;
	uint64		read_at;		/* consumed, when it read something last */
	bool		reads;			/* has it read anything? */
	uint32		allowed;		/* given and not got back, at most */
	bool		held_back;		/* a page that there was */
};

/* What a page has beside it on its way through the stream. */
typedef struct StreamPage
{
	uint32		number;
	bool		announced;
} StreamPage;

static BlockNumber
next_block(ReadStream *read_stream, void *callback_private, void *data)
{
	SsdparPageStream *stream = callback_private;
	SsdparPageQueue *queue = stream->queue;
	StreamPage *page = data;

	if (queue->given - queue->consumed >= stream->allowed)
	{
		stream->held_back = true;
		return InvalidBlockNumber;
	}
	if (queue->given == queue->queued && !ssdpar_page_queue_add(queue))
		return InvalidBlockNumber;
	page->number = ssdpar_page_queue_number(queue, queue->given);
	page->announced = queue->given < queue->announced;
	queue->given++;
	return queue->blocks[page->number];
}

/* Pages that the stream may have. */
static void
allow_pages(SsdparPageStream *stream)
{
	stream->allowed = Min(ssdpar_yield_pages(&stream->pace),
						  SSDPAR_QUEUE_PAGES - 1);
}

/*
 * A stream takes its depth from effective_io_concurrency when it begins, so
 * that is set to ours meanwhile.  A tablespace's own value goes before.
 *
 * Nothing of the user's runs before the level is closed.  An error in between
 * ends the transaction, or its savepoint, and that closes all levels.
 */
SsdparPageStream *
ssdpar_page_stream_begin(SsdparPageQueue *queue, Relation rel,
						 BufferAccessStrategy ring)
{
	SsdparPageStream *stream = palloc0_object(SsdparPageStream);
	int			wanted = Min(queue->depth, MAX_IO_CONCURRENCY);
	int			users PG_USED_FOR_ASSERTS_ONLY = effective_io_concurrency;
	int			level = NewGUCNestLevel();
	char	   *depth = psprintf("%d", wanted);

	(void) set_config_option("effective_io_concurrency", depth, PGC_USERSET,
							 PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
	Assert(effective_io_concurrency == wanted);
	stream->queue = queue;
	stream->pace.tablespace = rel->rd_locator.spcOid;
	allow_pages(stream);
	stream->stream = read_stream_begin_relation(SSDPAR_STREAM_FLAGS, ring, rel,
												MAIN_FORKNUM, next_block,
												stream, sizeof(StreamPage));
	AtEOXact_GUC(true, level);
	ssdpar_io_stats_of_stream(&queue->counters->io, stream->stream);
	Assert(effective_io_concurrency == users);
	pfree(depth);
	return stream;
}

/* All that the stream was given has come; go on with what was held back. */
static Buffer
begin_anew(SsdparPageStream *stream, void **data)
{
	Assert(stream->queue->given == stream->queue->consumed &&
		   stream->allowed > 0);
	stream->held_back = false;
	read_stream_reset(stream->stream);
	return read_stream_next_buffer(stream->stream, data);
}

/* From the stream, begun anew if it was held back. */
static Buffer
take_from_stream(SsdparPageStream *stream, StreamPage **page)
{
	void	   *data;
	Buffer		buffer = read_stream_next_buffer(stream->stream, &data);

	if (!BufferIsValid(buffer) && stream->held_back)
		buffer = begin_anew(stream, &data);
	*page = data;
	return buffer;
}

/*
 * The clock is looked at while the stream reads, or has just begun: it starts
 * reads for many pages at a time.  A page that takes its time before anything
 * was read was in shared buffers, and the process interrupted.
 */
Buffer
ssdpar_page_stream_next(SsdparPageStream *stream, uint32 *number)
{
	SsdparPageQueue *queue = stream->queue;
	int64		before = ssdpar_pages_read();
	bool		timed = queue->list != NULL &&
		queue->consumed - stream->read_at <= STREAM_READS_EVERY;
	bool		waited = false;
	instr_time	start;
	instr_time	duration;
	StreamPage *page;
	Buffer		buffer;
	int64		reads;

	if (queue->list != NULL)
		ssdpar_page_queue_fill(queue);
	if (timed)
		INSTR_TIME_SET_CURRENT(start);
	buffer = take_from_stream(stream, &page);
	if (!BufferIsValid(buffer))
		return InvalidBuffer;
	if (timed)
	{
		INSTR_TIME_SET_CURRENT(duration);
		INSTR_TIME_SUBTRACT(duration, start);
		waited = INSTR_TIME_GET_MICROSEC(duration) > SSDPAR_WAIT_US;
	}
	*number = page->number;
	reads = ssdpar_pages_read() - before;
	if (reads > 0)
		stream->read_at = queue->consumed;
	stream->reads |= reads > 0;
	ssdpar_page_queue_consumed(queue, page->announced, reads == 0,
							   waited && stream->reads);
	if (reads > 0 || stream->held_back)
		allow_pages(stream);
	queue->counters->pages++;
	queue->counters->reads += reads;
	return buffer;
}

void
ssdpar_page_stream_end(SsdparPageStream *stream)
{
	read_stream_end(stream->stream);
}

#endif							/* SSDPAR_HAS_READ_STREAM */
