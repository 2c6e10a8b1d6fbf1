/*
 * ssdemu_trace.c
 *		Writes the trace of a device.  Used by one thread, which receives
 *		requests from the kernel.
 */
#include "ssdemu_trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct SsdemuTrace
{
	FILE	   *file;
	int64_t		begin;			/* time of the first request; 0: none */
};

SsdemuTrace *
ssdemu_trace_open(const char *path, SsdsimError *error)
{
	SsdemuTrace *trace = calloc(1, sizeof(*trace));

	if (trace != NULL)
		trace->file = fopen(path, "we");
	if (trace != NULL && trace->file != NULL)
		return trace;
	ssdsim_fail(error, "--trace %.200s: %s. Nothing is mounted. Name a file "
				"that can be written.", path, strerror(errno));
	free(trace);
	return NULL;
}

bool
ssdemu_trace_close(SsdemuTrace *trace, SsdsimError *error)
{
	bool		failed = ferror(trace->file) != 0;

	failed = fclose(trace->file) != 0 || failed;
	free(trace);
	return !failed || ssdsim_fail(error, "the trace could not be written: "
								  "it has holes or no end. Make room and "
								  "record it again.");
}

/* A reader that does not wait for the end may stop at a mark. */
void
ssdemu_trace_mark(SsdemuTrace *trace, const char *name)
{
	fprintf(trace->file, "mark %s\n", name);
	fflush(trace->file);
}

void
ssdemu_trace_request(SsdemuTrace *trace, SsdsimKind kind, uint64_t address,
					 uint32_t bytes, pid_t process, int64_t now)
{
	if (trace->begin == 0)
		trace->begin = now;
	fprintf(trace->file, "%.1f %s %llu %lu %d\n",
			(double) (now - trace->begin) / 1000, ssdsim_kind_name(kind),
			(unsigned long long) address, (unsigned long) bytes,
			(int) process);
}
