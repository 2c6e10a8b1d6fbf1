/*
 * page_stream.h
 *		Reads the pages of a queue by a read stream of the server (since
 *		PostgreSQL 17).
 */
#ifndef SSDPAR_PAGE_STREAM_H
#define SSDPAR_PAGE_STREAM_H

#include "base/compat.h"
#include "storage/buf.h"
#include "utils/relcache.h"

#include "starscan/exec/page_queue.h"

#ifdef SSDPAR_HAS_READ_STREAM

typedef struct SsdparPageStream SsdparPageStream;

/*
 * Starts a stream over the pages that the queue claims, in the current memory
 * context.  If ring is NULL, it uses all of shared buffers.  The queue
 * announces pages ahead of the stream.
 */
extern SsdparPageStream *ssdpar_page_stream_begin(SsdparPageQueue *queue,
												  Relation rel,
												  BufferAccessStrategy ring);

/* See ssdpar_read_ahead_next().  */
extern Buffer ssdpar_page_stream_next(SsdparPageStream *stream,
									  uint32 *number);

extern void ssdpar_page_stream_end(SsdparPageStream *stream);

#endif							/* SSDPAR_HAS_READ_STREAM */

#endif							/* SSDPAR_PAGE_STREAM_H */
