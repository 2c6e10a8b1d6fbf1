/*
 * ssdsim_trace.h
 *		Requests as a text file has them:
 *
 *	TIME KIND ADDRESS BYTES
 *
 * TIME in microseconds since the beginning, never less than the line before;
 * KIND read, write or trim.  Empty lines and what follows # are left out.
 */
#ifndef SSDSIM_TRACE_H
#define SSDSIM_TRACE_H

#include "ssdsim_result.h"

/*
 * Run a trace on an array that nothing was handed to before: each request at
 * its time, or with a DEPTH that many at a time, whatever their times.  False
 * and a message that names the line if it makes no sense.
 */
extern bool ssdsim_trace_run(FILE *trace, const char *filename,
							 int64_t depth, SsdsimRun *run,
							 SsdsimError *error);

#endif							/* SSDSIM_TRACE_H */
