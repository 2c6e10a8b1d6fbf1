/*
 * trace.h
 *		Traces the reads given to devices to a text file, which the SSD
 *		simulator (bench/ssdsim) can replay.
 *
 *	TIME read ADDRESS BYTES PROCESS
 *
 * TIME is in microseconds since the first read, PROCESS is the session's pid.
 * The physical location of files is not known, so each file gets one
 * contiguous range of addresses at a pseudo-random place determined by its
 * inode number.
 */
#ifndef SSDPARD_TRACE_H
#define SSDPARD_TRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "problem.h"

typedef struct SsdpardTrace
{
	FILE	   *file;			/* NULL: tracing is off */
	uint64_t	begin;			/* us, the first read; 0: none yet */
	uint64_t	written;		/* us, when the file was complete */
} SsdpardTrace;

/* Creates the file at PATH; an empty path turns tracing off. */
extern bool ssdpard_trace_open(SsdpardTrace *trace, const char *path,
							   char problem[SSDPARD_PROBLEM]);
extern void ssdpard_trace_close(SsdpardTrace *trace);

/*
 * Records a read that a device was given at NOW, not before the previous one.
 * If the file cannot be written anymore, closes it with one warning.
 */
extern void ssdpard_trace_read(SsdpardTrace *trace, uint64_t now, int fd,
							   uint64_t offset, uint32_t length,
							   uint32_t process);

#endif							/* SSDPARD_TRACE_H */
