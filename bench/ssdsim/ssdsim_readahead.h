/*
 * ssdsim_readahead.h
 *		The device's own read-ahead: which reads continue each other, and which
 *		pages of the streams are in its buffer or on their way there.
 *
 * It makes the decisions; the device reads.  An established stream tolerates
 * requests that overtake each other within what is read ahead.
 */
#ifndef SSDSIM_READAHEAD_H
#define SSDSIM_READAHEAD_H

#include "ssdsim_flash.h"

typedef struct SsdsimAheadPage
{
	uint64_t	page;			/* number plus one; 0: none */
	SsdsimOp   *reading;		/* NULL: it is there */
} SsdsimAheadPage;

/* A sequential read as the device sees it; pages are the host's. */
typedef struct SsdsimStream
{
	uint64_t	next;			/* address that would continue it */
	uint64_t	used;			/* by this request number, to find the oldest */
	uint64_t	ahead;			/* first page not yet read ahead */
	bool		established;	/* has been continued at least once */
	SsdsimAheadPage *buffer;	/* by page number, modulo twice the depth */
} SsdsimStream;

typedef struct SsdsimReadahead
{
	uint32_t	depth;			/* pages ahead; 0: there is none */
	uint32_t	page_bytes;
	int			nstreams;
	uint64_t	requests;
	SsdsimStream *streams;
} SsdsimReadahead;

extern void ssdsim_readahead_init(SsdsimReadahead *readahead,
								  const SsdsimSpec *spec);
extern void ssdsim_readahead_free(SsdsimReadahead *readahead);

/* The stream that a read continues, or the oldest one, reused. */
extern SsdsimStream *ssdsim_readahead_follow(SsdsimReadahead *readahead,
											 uint64_t address, uint64_t end);

/*
 * Are pages FIRST to END - 1 all in one stream's buffer, or on their way
 * there?
 */
extern bool ssdsim_readahead_has(SsdsimReadahead *readahead, uint64_t first,
								 uint64_t end);

/* The entry of a page in a stream; NULL: it has not been read ahead. */
extern SsdsimAheadPage *ssdsim_readahead_find(SsdsimReadahead *readahead,
											  SsdsimStream *stream,
											  uint64_t page);

/* The next page to read ahead, below LIMIT; false if that is enough. */
extern bool ssdsim_readahead_next(SsdsimReadahead *readahead,
								  SsdsimStream *stream, uint64_t limit,
								  uint64_t *page);

/* OP is reading that page; NULL: it is there immediately. */
extern void ssdsim_readahead_begin(SsdsimReadahead *readahead,
								   SsdsimStream *stream, uint64_t page,
								   SsdsimOp *op);

/* The page that OP read ahead is there. */
extern void ssdsim_readahead_end(SsdsimReadahead *readahead,
								 const SsdsimOp *op);

#endif							/* SSDSIM_READAHEAD_H */
