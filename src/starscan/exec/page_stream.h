/*
 * page_stream.h
 *		The pages of a queue by the server's own read stream, since 17.
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
 * Over what the queue has and claims, in the current memory context; ring NULL:
 * into all of shared buffers.  What the queue announces goes ahead of it.
 */
extern SsdparPageStream *ssdpar_page_stream_begin(SsdparPageQueue *queue,
												  Relation rel,
												  BufferAccessStrategy ring);

/* As ssdpar_read_ahead_next(). */
extern Buffer ssdpar_page_stream_next(SsdparPageStream *stream,
									  uint32 *number);

extern void ssdpar_page_stream_end(SsdparPageStream *stream);

#endif							/* SSDPAR_HAS_READ_STREAM */

#endif							/* SSDPAR_PAGE_STREAM_H */
