/*
 * ssdsim_collecting.h
 *		A session that reads a list of pages from a device that collects
 *		garbage, because others overwrite it by chance.
 */
#ifndef SSDSIM_COLLECTING_H
#define SSDSIM_COLLECTING_H

#include "ssdsim_process.h"

#define SSDSIM_MOST_WRITERS 16

typedef struct SsdsimCollecting
{
	int			writers;		/* each writes a page, rests, writes */
	int64_t		rest;			/* ns */
	int64_t		hold;			/* longest that the daemon holds a read back
								 * whose die collects, ns; 0: it holds none */
	uint32_t	lead;			/* depths that the list is ahead; 0: as many
								 * as page_list.c is */
} SsdsimCollecting;

typedef struct SsdsimCollectingResult
{
	int64_t		time;			/* of the list, ns */
	int64_t		wait99;			/* 99th percentile of the session's waits */
	double		writes;			/* a second */
	uint64_t	held;			/* reads held back for their die */
} SsdsimCollectingResult;

/* A device that this can be run on: one SSD, large enough. */
extern bool ssdsim_collecting_device(const char *name, const char *folder,
									 SsdsimSpec *spec, SsdsimError *error);

extern SsdsimCollectingResult ssdsim_collecting_run(const SsdsimSpec *spec,
													const SsdsimCollecting *how,
													uint32_t depth);

#endif							/* SSDSIM_COLLECTING_H */
