/*
 * ssdemu_trace.c
 *		Writes the trace of a device.  One thread uses it, the one that takes
 *		requests from the kernel.
 */
#include "ssdemu_trace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct SsdemuTrace
{
	FILE	   *file;
};

SsdemuTrace *
ssdemu_trace_open(const char *path, SsdemuError *error)
{
	SsdemuTrace *trace = calloc(1, sizeof(*trace));

	if (trace != NULL)
		trace->file = fopen(path, "we");
	if (trace != NULL && trace->file != NULL)
		return trace;
	ssdemu_fail(error, "--trace %.200s: %s. Nothing is mounted. Name a file "
				"that can be written.", path, strerror(errno));
	free(trace);
	return NULL;
}

void
ssdemu_trace_close(SsdemuTrace *trace)
{
	fclose(trace->file);
	free(trace);
}

/* A mark is also where a reader who does not wait for the end may stop. */
void
ssdemu_trace_mark(SsdemuTrace *trace, const char *name)
{
	fprintf(trace->file, "mark %.*s\n", SSDEMU_MARK_SIZE - 1, name);
	fflush(trace->file);
}

void
ssdemu_trace_read(SsdemuTrace *trace, pid_t process, uint64_t address,
				  uint32_t bytes)
{
	fprintf(trace->file, "read %d %llu %lu\n", (int) process,
			(unsigned long long) address, (unsigned long) bytes);
}
