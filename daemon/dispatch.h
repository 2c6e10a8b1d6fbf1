/*
 * dispatch.h
 *		From the scheduler to the reader, and back.
 */
#ifndef SSDPARD_DISPATCH_H
#define SSDPARD_DISPATCH_H

#include "state.h"

/* A read: the free list's next, or the device request outstanding in it. */
typedef struct SsdpardSlot
{
	SsdpardDeviceRequest request;
	uint32_t	length;			/* asked for, after clipping to the file */
	uint64_t	started;
	bool		untraced;		/* outstanding, and not yet in the trace */
	int			next_free;		/* -1: the last one */
} SsdpardSlot;

/*
 * Invariant: each slot is in the free list or with the reader, and those with
 * the reader are the requests that the scheduler counts as outstanding.
 */
typedef struct SsdpardDispatch
{
	SsdpardState *state;
	SsdpardSlot slots[SSDPARD_SLOTS];
	int			first_free;		/* -1: none */
	int			nfree;
	int			first_device;	/* of the next turn */
} SsdpardDispatch;

typedef enum SsdpardDispatched
{
	SSDPARD_ALL_STARTED,		/* that may be */
	SSDPARD_MORE_TO_START,
	SSDPARD_SUBMIT_AGAIN,		/* the reader could not start some of it */
} SsdpardDispatched;

extern void ssdpard_dispatch_init(SsdpardDispatch *dispatch,
								  SsdpardState *state);

/* Gives the device what may be outstanding. */
extern SsdpardDispatched ssdpard_dispatch_start(SsdpardDispatch *dispatch);

/* Takes what the device has answered. */
extern void ssdpard_dispatch_collect(SsdpardDispatch *dispatch);

#endif							/* SSDPARD_DISPATCH_H */
