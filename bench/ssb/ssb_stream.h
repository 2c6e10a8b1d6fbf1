/*
 * ssb_stream.h
 *		One connection to the server, in one transaction, with COPY streams
 *		one after the other.  The only file that knows libpq.
 */
#ifndef SSB_STREAM_H
#define SSB_STREAM_H

#include <libpq-fe.h>

#include "ssb_tables.h"

typedef struct SsbStream
{
	PGconn	   *conn;
	PGcancel   *cancel;			/* usable from other threads */
	bool		copying;
	SsbTable	table;			/* while copying */
	uint64_t	sent;			/* rows, in the present COPY */
	uint64_t	rows[SSB_NTABLES];	/* rows taken by the server */
} SsbStream;

/* Connect and begin a transaction. */
extern bool ssb_stream_open(SsbStream *stream, const char *conninfo,
							SsbError *error);

/*
 * Lock a table against a second load and see to it that it is empty.  Writers
 * are not kept out, since the other connections of this load are such.
 */
extern bool ssb_stream_claim(SsbStream *stream, SsbTable table,
							 SsbError *error);

/* Send rows of a table; ends the COPY of another table if one is on. */
extern bool ssb_stream_put(SsbStream *stream, SsbTable table,
						   const char *text, size_t length, uint64_t rows,
						   SsbError *error);

/* End the COPY, if one is on, and check that the server took every row. */
extern bool ssb_stream_finish(SsbStream *stream, SsbError *error);
extern bool ssb_stream_commit(SsbStream *stream, SsbError *error);

/* Whether a failed commit may have happened all the same. */
extern bool ssb_stream_lost(const SsbStream *stream);

/* Ask the server to stop what the stream does; from any thread. */
extern void ssb_stream_cancel(SsbStream *stream);

/* Roll back whatever is not committed and disconnect. */
extern void ssb_stream_close(SsbStream *stream);

/* Empty tables over a connection of its own. */
extern bool ssb_truncate(const char *conninfo, const bool *tables,
						 SsbError *error);

#endif							/* SSB_STREAM_H */
