/*
 * ssdsim_trace.h
 *		Requests in a text file, one per line:
 *
 *	TIME KIND ADDRESS BYTES [PROCESS]
 *	mark NAME
 *
 * TIME in microseconds since the start, never less than in the previous line;
 * KIND read, write, trim, or flush, which has address and bytes 0; PROCESS the
 * number of the requesting process.  The lines after a mark belong to NAME, or
 * to none if it has no name.  Empty lines and text after # are ignored.
 * ssdemu and ssdpard write such files.
 */
#ifndef SSDSIM_TRACE_H
#define SSDSIM_TRACE_H

#include "ssdsim_error.h"
#include "ssdsim_request.h"
#include "ssdsim_spec.h"

#define SSDSIM_MARK_SIZE 128

/* A trace that is being read. */
typedef struct SsdsimTrace
{
	FILE	   *file;
	const char *filename;		/* for messages */
	const SsdsimSpec *spec;
	bool		fold;			/* wrap addresses beyond the device */
	uint64_t	line;
	int64_t		time;			/* of the last request, ns */
	uint64_t	process;		/* that made it; 0: unknown */
	char		mark[SSDSIM_MARK_SIZE]; /* the last one's name */
	bool		failed;
	SsdsimError *error;
} SsdsimTrace;

typedef enum SsdsimTraceLine
{
	SSDSIM_TRACE_REQUEST,
	SSDSIM_TRACE_MARK,
	SSDSIM_TRACE_END,			/* or, if it failed, an error */
} SsdsimTraceLine;

/* Reads to the next request or mark. */
extern SsdsimTraceLine ssdsim_trace_next(SsdsimTrace *trace,
										 SsdsimRequest *request);

/* Reports an error in the line; always false. */
extern bool ssdsim_trace_fail(SsdsimTrace *trace, const char *what);

#endif							/* SSDSIM_TRACE_H */
