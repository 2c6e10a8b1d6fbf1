/*
 * ssdsim_flash.h
 *		The flash on virtual time: dies that read, program and erase, and the
 *		channels that they share.
 *
 * An operation waits in its die's queue until the policy (ssdsim_policy.h)
 * starts it.  Garbage collection ignores the policy: a plane that is short of
 * free blocks precedes what is queued, and one that could use more collects
 * while its die is idle.
 */
#ifndef SSDSIM_FLASH_H
#define SSDSIM_FLASH_H

#include "ssdsim_events.h"
#include "ssdsim_ftl.h"
#include "ssdsim_op.h"

/* The code of a die's event, together with the die; others are the device's. */
#define SSDSIM_EVENT_DIE 0

typedef struct SsdsimDie
{
	SsdsimOpList queue;
	SsdsimOp   *current;		/* NULL: the die is idle */
	int			phase;
	int64_t		began;
	int64_t		busy;			/* sum of everything that has ended */
	uint32_t	collected;		/* last plane that collected */
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

/* Called for every interval in which an exclusive resource is busy. */
typedef void (*SsdsimObserver) (void *argument, SsdsimResource resource,
								uint32_t index, int64_t from, int64_t until);

typedef struct SsdsimFlash SsdsimFlash;

/* The order in which dies serve what is queued. */
typedef struct SsdsimPolicy
{
	const char *name;
	const char *about;

	/* Starts whatever may start, after a change for a die. */
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
	SsdsimOp   *oldest;			/* of the queued reads */
	SsdsimOp   *newest;
	SsdsimOpPool pool;

	/* An operation's data is in the controller, or in the flash. */
	void		(*done) (void *argument, SsdsimOp *op);
	void	   *argument;
	SsdsimObserver observe;		/* or NULL */
	void	   *observer;

	/* sums over the host's operations */
	int64_t		contention;		/* waiting for a channel, once started */
	int64_t		queued;			/* waiting to be started */
	uint64_t	packed;			/* combined with another */
	uint64_t	foreground;		/* steps of collecting, by cause */
	uint64_t	background;
};

extern void ssdsim_flash_init(SsdsimFlash *flash, const SsdsimSpec *spec,
							  const SsdsimPolicy *policy);
extern void ssdsim_flash_free(SsdsimFlash *flash);

/*
 * Operations come from the pool, and return to it automatically when they are
 * done.
 */

/* Reads op->page, which is written and not in the buffer. */
extern void ssdsim_flash_read(SsdsimFlash *flash, SsdsimOp *op);

/* Programs op->page in any free page, as soon as there is one. */
extern void ssdsim_flash_program(SsdsimFlash *flash, SsdsimOp *op);

/* An event of a die has occurred. */
extern void ssdsim_flash_step(SsdsimFlash *flash, SsdsimDie *die);

/* Does the die of a page of the host copy or erase now? */
extern bool ssdsim_flash_collects(const SsdsimFlash *flash, uint32_t page);

/* How long dies and channels have worked: sums over all of them. */
extern void ssdsim_flash_busy(const SsdsimFlash *flash, int64_t *dies,
							  int64_t *channels);

/* ----- for policies ----- */

/* Could a die start something now? */
extern bool ssdsim_flash_idle(const SsdsimFlash *flash, uint32_t die);

/*
 * Combines queued operations according to the plane-addressing rule: same die,
 * same kind, same page of their blocks, other planes.
 */
extern void ssdsim_flash_pack(SsdsimFlash *flash, SsdsimOp *op);

/* Starts a queued operation, with those combined with it, on its idle die. */
extern void ssdsim_flash_start(SsdsimFlash *flash, SsdsimOp *op);

#endif							/* SSDSIM_FLASH_H */
