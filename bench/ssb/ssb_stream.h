/*
 * ssb_stream.h
 *		One connection to the server, in one transaction, with consecutive COPY
 *		streams.  The only file that uses libpq.
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
	uint64_t	sent;			/* rows, in the current COPY */
	uint64_t	rows[SSB_NTABLES];	/* rows accepted by the server */
} SsbStream;

/* Connects and begins a transaction. */
extern bool ssb_stream_open(SsbStream *stream, const char *conninfo,
							SsbError *error);

/*
 * Locks a table against a second load and checks that it is empty.  Writers
 * are not locked out, because this load's other connections write.
 */
extern bool ssb_stream_claim(SsbStream *stream, SsbTable table,
							 SsbError *error);

/* Sends rows of a table; ends an open COPY of another table. */
extern bool ssb_stream_put(SsbStream *stream, SsbTable table,
						   const char *text, size_t length, uint64_t rows,
						   SsbError *error);

/* Ends an open COPY, and checks that the server accepted every row. */
extern bool ssb_stream_finish(SsbStream *stream, SsbError *error);
extern bool ssb_stream_commit(SsbStream *stream, SsbError *error);

/* May a failed commit have happened all the same? */
extern bool ssb_stream_lost(const SsbStream *stream);

/* Asks the server to stop the stream's command; from any thread. */
extern void ssb_stream_cancel(SsbStream *stream);

/* Rolls back whatever is not committed and disconnects. */
extern void ssb_stream_close(SsbStream *stream);

/* Empties tables over a separate connection. */
extern bool ssb_truncate(const char *conninfo, const bool *tables,
						 SsbError *error);

#endif							/* SSB_STREAM_H */
