/*
 * ssdemu_trace.h
 *		The requests to the device, with times and processes: a text file that
 *		ssdsim_trace.h reads.
 */
#ifndef SSDEMU_TRACE_H
#define SSDEMU_TRACE_H

#include <stdint.h>
#include <sys/types.h>

#include "bench/ssdsim/ssdsim_error.h"
#include "bench/ssdsim/ssdsim_request.h"

typedef struct SsdemuTrace SsdemuTrace;

/* A new file; NULL and a message if that is impossible. */
extern SsdemuTrace *ssdemu_trace_open(const char *path, SsdsimError *error);

/* False and a message if a part of it could not be written. */
extern bool ssdemu_trace_close(SsdemuTrace *trace, SsdsimError *error);

/* The following belongs to NAME, one line; empty: unnamed. */
extern void ssdemu_trace_mark(SsdemuTrace *trace, const char *name);
extern void ssdemu_trace_request(SsdemuTrace *trace, SsdsimKind kind,
								 uint64_t address, uint32_t bytes,
								 pid_t process, int64_t now);

#endif							/* SSDEMU_TRACE_H */
