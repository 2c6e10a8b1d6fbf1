/*
 * ssdsim_turning.h
 *		The flash works in one direction: a write that follows a read waits for
 *		all outstanding reads, then for the turn; a read that follows a write
 *		only for the turn (paper 000, Table II).
 *
 * Only reads from the flash count; data that was read ahead comes from memory
 * and does not change the direction.
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
	SSDSIM_TURN_LATER,			/* ssdsim_turning_next() will return it */
} SsdsimTurn;

/* A write arrives. */
extern SsdsimTurn ssdsim_turning_write(SsdsimTurning *turning,
									   SsdsimRequest *request);

/* A write whose reads have all ended; NULL: there is none. */
extern SsdsimRequest *ssdsim_turning_next(SsdsimTurning *turning);

#endif							/* SSDSIM_TURNING_H */
