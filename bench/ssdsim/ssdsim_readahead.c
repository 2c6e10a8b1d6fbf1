/*
 * ssdsim_readahead.c
 *		Streams, and a ring of pages for each.
 */
#include "ssdsim_readahead.h"

#include <stdlib.h>
#include <string.h>

#include "ssdsim_memory.h"

static size_t
ring_size(const SsdsimReadahead *readahead)
{
	/* pages behind the reader are still useful to a late request */
	return 2 * (size_t) readahead->depth;
}

void
ssdsim_readahead_init(SsdsimReadahead *readahead, const SsdsimSpec *spec)
{
	memset(readahead, 0, sizeof(*readahead));
	readahead->depth = (uint32_t) spec->readahead;
	readahead->page_bytes = (uint32_t) spec->page_bytes;
	if (readahead->depth == 0)
		return;
	readahead->nstreams = (int) spec->readahead_streams;
	readahead->streams = ssdsim_allocate((size_t) readahead->nstreams,
										 sizeof(SsdsimStream));
	for (int i = 0; i < readahead->nstreams; i++)
		readahead->streams[i].buffer =
			ssdsim_allocate(ring_size(readahead), sizeof(SsdsimAheadPage));
}

void
ssdsim_readahead_free(SsdsimReadahead *readahead)
{
	for (int i = 0; i < readahead->nstreams; i++)
		free(readahead->streams[i].buffer);
	free(readahead->streams);
}

/* A stream's buffer is useless to another one. */
static void
begin_stream(const SsdsimReadahead *readahead, SsdsimStream *stream,
			 uint64_t end)
{
	if (stream->established)
		memset(stream->buffer, 0,
			   ring_size(readahead) * sizeof(SsdsimAheadPage));
	stream->established = false;
	stream->next = end;
	stream->ahead = 0;
	stream->used = readahead->requests;
}

SsdsimStream *
ssdsim_readahead_follow(SsdsimReadahead *readahead, uint64_t address,
						uint64_t end)
{
	uint64_t	slack = (uint64_t) readahead->depth * readahead->page_bytes;
	SsdsimStream *oldest = &readahead->streams[0];

	readahead->requests++;
	for (int i = 0; i < readahead->nstreams; i++)
	{
		SsdsimStream *stream = &readahead->streams[i];
		uint64_t	off = address > stream->next ? address - stream->next :
			stream->next - address;

		if (stream->used != 0 &&
			(off == 0 || (stream->established && off <= slack)))
		{
			stream->established = true;
			stream->next = end > stream->next ? end : stream->next;
			stream->used = readahead->requests;
			return stream;
		}
		if (stream->used < oldest->used)
			oldest = stream;
	}
	begin_stream(readahead, oldest, end);
	return oldest;
}

static SsdsimAheadPage *
place_of(const SsdsimReadahead *readahead, SsdsimStream *stream,
		 uint64_t page)
{
	return &stream->buffer[page % ring_size(readahead)];
}

SsdsimAheadPage *
ssdsim_readahead_find(SsdsimReadahead *readahead, SsdsimStream *stream,
					  uint64_t page)
{
	SsdsimAheadPage *place = place_of(readahead, stream, page);

	return place->page == page + 1 ? place : NULL;
}

bool
ssdsim_readahead_has(SsdsimReadahead *readahead, uint64_t first, uint64_t end)
{
	for (int i = 0; i < readahead->nstreams; i++)
	{
		SsdsimStream *stream = &readahead->streams[i];
		uint64_t	page = first;

		/* nothing is read ahead for the others */
		while (page < end && stream->established &&
			   ssdsim_readahead_find(readahead, stream, page) != NULL)
			page++;
		if (page == end)
			return true;
	}
	return false;
}

bool
ssdsim_readahead_next(SsdsimReadahead *readahead, SsdsimStream *stream,
					  uint64_t limit, uint64_t *page)
{
	uint64_t	after = (stream->next + readahead->page_bytes - 1) /
		readahead->page_bytes;
	uint64_t	until = after + readahead->depth;

	if (!stream->established)
		return false;
	if (stream->ahead < after)
		stream->ahead = after;
	if (stream->ahead >= until || stream->ahead >= limit)
		return false;
	*page = stream->ahead++;
	return true;
}

void
ssdsim_readahead_begin(SsdsimReadahead *readahead, SsdsimStream *stream,
					   uint64_t page, SsdsimOp *op)
{
	*place_of(readahead, stream, page) = (SsdsimAheadPage)
	{
		page + 1, op
	};
}

/* The stream may have been reused meanwhile. */
void
ssdsim_readahead_end(SsdsimReadahead *readahead, const SsdsimOp *op)
{
	for (int i = 0; i < readahead->nstreams; i++)
	{
		SsdsimAheadPage *place = place_of(readahead, &readahead->streams[i],
										  op->page);

		if (place->reading == op)
			place->reading = NULL;
	}
}
