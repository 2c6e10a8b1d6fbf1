/*
 * ssdsim_turning.h
 *		The flash works in one direction: a write that follows a read waits for
 *		all outstanding reads, then for the turn; a read that follows a write
 *		for the turn alone (paper 000, Table II).
 *
 * Only reads that the flash works on count: what was read ahead comes out of
 * memory and turns nothing round.
 */
#ifndef SSDSIM_TURNING_H
#define SSDSIM_TURNING_H

#include "ssdsim_request.h"

typedef struct SsdsimTurning
{
	bool		writing;		/* the direction */
	SsdsimRequestList waiting;	/* writes, for reads to end */
	SsdsimRequest *oldest;		/* of the outstanding reads */
	SsdsimRequest *newest;
	uint64_t	reads;			/* their number so far */
} SsdsimTurning;

/* A read begins, unless it has; and ends. */
extern void ssdsim_turning_begin(SsdsimTurning *turning,
								 SsdsimRequest *request);
extern void ssdsim_turning_end(SsdsimTurning *turning,
							   SsdsimRequest *request);

typedef enum SsdsimTurn
{
	SSDSIM_TURN_NONE,			/* the direction is right */
	SSDSIM_TURN_NOW,
	SSDSIM_TURN_LATER,			/* ssdsim_turning_next() will give it */
} SsdsimTurn;

/* A write comes. */
extern SsdsimTurn ssdsim_turning_write(SsdsimTurning *turning,
									   SsdsimRequest *request);

/* A write of which all reads have ended; NULL: there is none. */
extern SsdsimRequest *ssdsim_turning_next(SsdsimTurning *turning);

#endif							/* SSDSIM_TURNING_H */
