/*
 * ssdsim_flash.h
 *		The flash on virtual time: dies that read, program and erase, and the
 *		channels that they share.
 *
 * An operation waits in its die's queue until the policy (ssdsim_policy.h)
 * starts it.  Collecting goes beside the policy: a plane that is short of
 * free blocks goes before what is queued, one that could do with more
 * collects while its die has nothing else to do.
 */
#ifndef SSDSIM_FLASH_H
#define SSDSIM_FLASH_H

#include "ssdsim_events.h"
#include "ssdsim_ftl.h"
#include "ssdsim_op.h"

/* An event of the device's is one of its own words, or this and a die. */
#define SSDSIM_EVENT_DIE 0

typedef struct SsdsimDie
{
	SsdsimOpList queue;
	SsdsimOp   *current;		/* NULL: the die is idle */
	int			phase;
	int64_t		began;
	int64_t		busy;			/* sum of all that is over */
	uint32_t	collected;		/* plane whose turn it was */
	SsdsimOp	collecting;		/* its step of that */
} SsdsimDie;

typedef struct SsdsimChannel
{
	int64_t		free;
	int64_t		busy;
} SsdsimChannel;

typedef enum SsdsimResource
{
	SSDSIM_CONTROLLER,
	SSDSIM_BUS,
	SSDSIM_CHANNEL,
	SSDSIM_DIE,
} SsdsimResource;

/* Told of every span that something which serves one at a time serves. */
typedef void (*SsdsimObserver) (void *argument, SsdsimResource resource,
								uint32_t index, int64_t from, int64_t until);

typedef struct SsdsimFlash SsdsimFlash;

/* In which order dies serve what is queued. */
typedef struct SsdsimPolicy
{
	const char *name;
	const char *about;

	/* Start whatever may start, now that something changed for a die. */
	void		(*dispatch) (SsdsimFlash *flash, uint32_t die);
} SsdsimPolicy;

struct SsdsimFlash
{
	SsdsimSpec	spec;
	SsdsimFtl	ftl;
	SsdsimEvents events;
	const SsdsimPolicy *policy;
	uint32_t	ndies;
	uint32_t	npackages;
	SsdsimDie  *dies;
	SsdsimChannel *channels;
	uint8_t    *working;		/* by package: dies that are not idle */
	SsdsimOpList *unplaced;		/* by plane: writes without room */
	SsdsimOp   *oldest;			/* of the reads that are queued */
	SsdsimOp   *newest;
	SsdsimOpPool pool;

	/* An operation's data are in the controller, or in the flash. */
	void		(*done) (void *argument, SsdsimOp *op);
	void	   *argument;
	SsdsimObserver observe;		/* or NULL */
	void	   *observer;

	/* sums over operations of the host's */
	int64_t		contention;		/* waiting for a channel, once started */
	int64_t		queued;			/* waiting to be started */
	uint64_t	packed;			/* that rode with another */
	uint64_t	foreground;		/* steps of collecting, by why */
	uint64_t	background;
};

extern void ssdsim_flash_init(SsdsimFlash *flash, const SsdsimSpec *spec,
							  const SsdsimPolicy *policy);
extern void ssdsim_flash_free(SsdsimFlash *flash);

/*
 * Operations come from the pool, and go back there by themselves once they
 * are done.
 */

/* Read where op->page lies; it is written and not in the buffer. */
extern void ssdsim_flash_read(SsdsimFlash *flash, SsdsimOp *op);

/* Program op->page wherever there is room, as soon as there is. */
extern void ssdsim_flash_program(SsdsimFlash *flash, SsdsimOp *op);

/* An event of a die's has come. */
extern void ssdsim_flash_step(SsdsimFlash *flash, SsdsimDie *die);

/* Whether the die that holds a page of the host's copies or erases now. */
extern bool ssdsim_flash_collects(const SsdsimFlash *flash, uint32_t page);

/* For how long dies and channels have worked: sums over all of them. */
extern void ssdsim_flash_busy(const SsdsimFlash *flash, int64_t *dies,
							  int64_t *channels);

/* ----- for policies ----- */

/* Whether a die could start something now. */
extern bool ssdsim_flash_idle(const SsdsimFlash *flash, uint32_t die);

/*
 * Have the queued operations ride along that the plane-addressing rule lets:
 * same die, same kind, same page of their blocks, other planes.
 */
extern void ssdsim_flash_pack(SsdsimFlash *flash, SsdsimOp *op);

/* Start a queued operation, with those packed with it, on its idle die. */
extern void ssdsim_flash_start(SsdsimFlash *flash, SsdsimOp *op);

#endif							/* SSDSIM_FLASH_H */
