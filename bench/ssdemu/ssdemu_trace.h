/*
 * ssdemu_trace.h
 *		What was read from the device, by whom and in which order: a text file
 *		that ssdemu_replay.h reads again.
 *
 *	mark NAME
 *	read PROCESS ADDRESS BYTES
 *
 * It holds no times: those are what a replay computes.  Writes are left out,
 * as the kernel makes them when it likes.
 */
#ifndef SSDEMU_TRACE_H
#define SSDEMU_TRACE_H

#include <stdint.h>
#include <sys/types.h>

#include "ssdemu_error.h"

#define SSDEMU_MARK_SIZE 128

typedef struct SsdemuTrace SsdemuTrace;

/* A new file; NULL and a message if that is not possible. */
extern SsdemuTrace *ssdemu_trace_open(const char *path, SsdemuError *error);
extern void ssdemu_trace_close(SsdemuTrace *trace);

/* Reads from here on belong to NAME, one line; empty: to nobody. */
extern void ssdemu_trace_mark(SsdemuTrace *trace, const char *name);
extern void ssdemu_trace_read(SsdemuTrace *trace, pid_t process,
							  uint64_t address, uint32_t bytes);

#endif							/* SSDEMU_TRACE_H */
