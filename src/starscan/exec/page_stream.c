/*
 * page_stream.c
 *		Reads the pages of a queue by a read stream of the server (since
 *		PostgreSQL 17).
 *
 * A stream has its own rule for its distance; we set its depth.
 *
 * With asynchronous I/O, a stream does not reach that depth.  It pins the
 * pages that it reads, and the number of pins is limited to a share of shared
 * buffers that depends on max_connections.  In addition, by default three I/O
 * workers read for all sessions.  Therefore the queue announces pages ahead of
 * the stream in this case, so that the stream finds them in the page cache.
 *
 * Announced pages yield to concurrent writes without further measures.  A
 * stream, however, keeps the depth that it has reached.  To make it yield, we
 * give it no more pages, which it takes for the end, and reset it after it has
 * returned all pages.  It then starts with one page and doubles its distance,
 * like any stream.
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

/* A stream that reads does so at least once in this many pages.  */
#define STREAM_READS_EVERY 256

struct SsdparPageStream
{
	SsdparPageQueue *queue;
	ReadStream *stream;
	SsdparPace	pace;
	uint64		read_at;		/* value of consumed at the last read */
	bool		reads;			/* has it read anything?  */
	uint32		allowed;		/* limit of pages given and not returned */
	bool		held_back;		/* a page was withheld from the stream */
};

/* Data attached to a page in the stream.  */
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

/* Sets the number of pages that the stream may have.  */
static void
allow_pages(SsdparPageStream *stream)
{
	stream->allowed = Min(ssdpar_yield_pages(&stream->pace),
						  SSDPAR_QUEUE_PAGES - 1);
}

/*
 * A stream takes its depth from effective_io_concurrency when it begins, so we
 * set that parameter to our depth meanwhile.  A value set for the tablespace
 * takes precedence.
 *
 * No user code runs before the GUC nest level is closed.  An error in between
 * aborts the transaction or the subtransaction, which closes all levels.
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

/*
 * Continues with the withheld pages after the stream has returned all pages
 * given.
 */
static Buffer
begin_anew(SsdparPageStream *stream, void **data)
{
	Assert(stream->queue->given == stream->queue->consumed &&
		   stream->allowed > 0);
	stream->held_back = false;
	read_stream_reset(stream->stream);
	return read_stream_next_buffer(stream->stream, data);
}

/*
 * Takes a page from the stream, resetting the stream if pages were withheld.
 */
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
 * The time is measured while the stream reads or has just begun, because it
 * starts reads for many pages at a time.  A page that takes long before
 * anything was read was in shared buffers, and the process was interrupted.
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
