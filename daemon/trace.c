/*
 * trace.c
 *		Traces the reads given to devices.
 *
 * The trace is meant for analyzing a workload, not for permanent use: the file
 * grows by some 40 bytes per read until the daemon ends.
 */
#include "trace.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "log.h"

#define PAGE 4096
#define PAGES (UINT64_C(1) << 28)	/* a terabyte of addresses */

/* The file contains everything except at most the last second. */
#define WRITE_EACH 1000000		/* us */

bool
ssdpard_trace_open(SsdpardTrace *trace, const char *path,
				   char problem[SSDPARD_PROBLEM])
{
	*trace = (SsdpardTrace)
	{
		.file = NULL
	};
	if (path[0] == '\0')
		return true;
	trace->file = fopen(path, "we");
	if (trace->file != NULL)
		return true;
	return ssdpard_fail(problem, "could not write the trace \"%.200s\": %s; "
						"name another file, or leave trace out", path,
						strerror(errno));
}

void
ssdpard_trace_close(SsdpardTrace *trace)
{
	bool		bad;

	if (trace->file == NULL)
		return;
	bad = ferror(trace->file) != 0;
	if (fclose(trace->file) != 0 || bad)
		ssdpard_log(SSDPARD_LOG_WARNING, "could not write all of the trace; "
					"its end is missing; see whether the disk is full");
	trace->file = NULL;
}

/* The finalizer of splitmix64. */
static uint64_t
mix(uint64_t value)
{
	value += UINT64_C(0x9e3779b97f4a7c15);
	value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
	return value ^ (value >> 31);
}

static uint64_t
place_of(int fd)
{
	struct stat status;

	if (fstat(fd, &status) != 0)
		return 0;
	return mix((uint64_t) status.st_dev ^ mix((uint64_t) status.st_ino)) %
		PAGES * PAGE;
}

void
ssdpard_trace_read(SsdpardTrace *trace, uint64_t now, int fd, uint64_t offset,
				   uint32_t length, uint32_t process)
{
	if (trace->begin == 0)
		trace->begin = trace->written = now;
	fprintf(trace->file, "%llu read %llu %lu %lu\n",
			(unsigned long long) (now - trace->begin),
			(unsigned long long) (place_of(fd) + offset),
			(unsigned long) length, (unsigned long) process);
	if (now - trace->written >= WRITE_EACH)
	{
		fflush(trace->file);
		trace->written = now;
	}
	if (ferror(trace->file))
		ssdpard_trace_close(trace);
}
