/*
 * ssdsim_trace.h
 *		Requests as a text file has them, a line each:
 *
 *	TIME KIND ADDRESS BYTES [PROCESS]
 *	mark NAME
 *
 * TIME in microseconds since the beginning, never less than the line before;
 * KIND read, write, trim, or flush, which has address and bytes 0; PROCESS a
 * number for who asked.  What follows a mark belongs to NAME; without a name,
 * to nobody.  Empty lines and what follows # are left out.  ssdemu and ssdpard
 * write such files.
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
	bool		fold;			/* what lies beyond the device, into it */
	uint64_t	line;
	int64_t		time;			/* of the last request, ns */
	uint64_t	process;		/* that it is of; 0: not said */
	char		mark[SSDSIM_MARK_SIZE]; /* the last one's name */
	bool		failed;
	SsdsimError *error;
} SsdsimTrace;

typedef enum SsdsimTraceLine
{
	SSDSIM_TRACE_REQUEST,
	SSDSIM_TRACE_MARK,
	SSDSIM_TRACE_END,			/* or, if it failed, where it makes no sense */
} SsdsimTraceLine;

/* Read on to the next request or mark. */
extern SsdsimTraceLine ssdsim_trace_next(SsdsimTrace *trace,
										 SsdsimRequest *request);

/* Tell what is wrong with the line; always false. */
extern bool ssdsim_trace_fail(SsdsimTrace *trace, const char *what);

#endif							/* SSDSIM_TRACE_H */
