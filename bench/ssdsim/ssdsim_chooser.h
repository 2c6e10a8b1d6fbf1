/*
 * ssdsim_chooser.h
 *		Chooses a program's next request: random kind, position and size.
 */
#ifndef SSDSIM_CHOOSER_H
#define SSDSIM_CHOOSER_H

#include "ssdsim_request.h"

typedef struct SsdsimLoop
{
	int64_t		depth;
	double		read_share;		/* 0 to 1; the others write */
	double		random_share[2];	/* of reads and of writes; the others
									 * follow the last one of their kind */
	uint64_t	bytes;			/* per request */
	uint64_t	large_bytes;	/* or of a share of them; 0: none */
	double		large_share;
	uint64_t	first;			/* its region: address, */
	uint64_t	length;			/* and bytes; at least one request */
} SsdsimLoop;

typedef struct SsdsimChooser
{
	const SsdsimLoop *loop;
	uint64_t	cursor[2];		/* where reads and writes continue */
} SsdsimChooser;

extern void ssdsim_choose(SsdsimChooser *chooser, uint64_t *random,
						  SsdsimRequest *request);

#endif							/* SSDSIM_CHOOSER_H */
