/*
 * ssdsim_collecting.h
 *		A session that reads a list of pages from a device that collects
 *		garbage because of random overwrites.
 */
#ifndef SSDSIM_COLLECTING_H
#define SSDSIM_COLLECTING_H

#include "ssdsim_process.h"

#define SSDSIM_MOST_WRITERS 16

typedef struct SsdsimCollecting
{
	int			writers;		/* each writes a page, rests, writes */
	int64_t		rest;			/* ns */
	int64_t		hold;			/* longest time that the daemon holds back a
								 * read whose die collects, ns; 0: none */
	uint32_t	lead;			/* depths that the list is ahead; 0: as in
								 * page_list.c */
} SsdsimCollecting;

typedef struct SsdsimCollectingResult
{
	int64_t		time;			/* of the list, ns */
	int64_t		wait99;			/* 99th percentile of the session's waits */
	double		writes;			/* per second */
	uint64_t	held;			/* reads held back for their die */
} SsdsimCollectingResult;

/* A suitable device: one SSD, large enough. */
extern bool ssdsim_collecting_device(const char *name, const char *folder,
									 SsdsimSpec *spec, SsdsimError *error);

extern SsdsimCollectingResult ssdsim_collecting_run(const SsdsimSpec *spec,
													const SsdsimCollecting *how,
													uint32_t depth);

#endif							/* SSDSIM_COLLECTING_H */
