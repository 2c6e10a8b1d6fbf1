/*
 * trace.h
 *		The reads that devices were given, as a text file which the simulator
 *		of SSDs (bench/ssdsim) runs again.
 *
 *	TIME read ADDRESS BYTES PROCESS
 *
 * TIME in microseconds since the first, PROCESS the session's.  Where files
 * lie on their device is not asked: each gets an address by its number, by
 * chance and in one piece.
 */
#ifndef SSDPARD_TRACE_H
#define SSDPARD_TRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "problem.h"

typedef struct SsdpardTrace
{
	FILE	   *file;			/* NULL: nothing is written down */
	uint64_t	begin;			/* us, the first read; 0: none yet */
	uint64_t	written;		/* us, when the file had all */
} SsdpardTrace;

/* Makes the file at PATH anew; an empty path: nothing is written down. */
extern bool ssdpard_trace_open(SsdpardTrace *trace, const char *path,
							   char problem[SSDPARD_PROBLEM]);
extern void ssdpard_trace_close(SsdpardTrace *trace);

/*
 * A device got a read at NOW, not before the last one.  A file that cannot be
 * written any more is closed, with one warning.
 */
extern void ssdpard_trace_read(SsdpardTrace *trace, uint64_t now, int fd,
							   uint64_t offset, uint32_t length,
							   uint32_t process);

#endif							/* SSDPARD_TRACE_H */
