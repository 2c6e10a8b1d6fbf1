/*
 * ssdemu_replay.h
 *		How long a device takes for the reads of a trace, on virtual time.
 *
 * Each process has one request outstanding: it submits its next one when the
 * device has completed the one before, and computes for no time.  So the
 * result depends on what was read, by how many processes and in which order,
 * and on nothing that the machine was busy with meanwhile.
 */
#ifndef SSDEMU_REPLAY_H
#define SSDEMU_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "ssdemu_error.h"
#include "ssdemu_profile.h"
#include "ssdemu_trace.h"

typedef struct SsdemuReplay
{
	char		name[SSDEMU_MARK_SIZE];
	uint64_t	requests;
	uint64_t	bytes;
	int			processes;		/* that read anything */
	int64_t		time;			/* until the last read is complete, ns */
} SsdemuReplay;

/* Called for each mark with a name. */
typedef void (*SsdemuReplayed) (const SsdemuReplay *replay, void *argument);

/* False and a message if the trace cannot be read or makes no sense. */
extern bool ssdemu_replay(FILE *trace, const SsdemuProfile *profile,
						  uint64_t seed, SsdemuReplayed replayed,
						  void *argument, SsdemuError *error);

#endif							/* SSDEMU_REPLAY_H */
