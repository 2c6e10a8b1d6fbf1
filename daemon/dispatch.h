/*
 * dispatch.h
 *		Passes requests from the scheduler to the reader, and results back.
 */
#ifndef SSDPARD_DISPATCH_H
#define SSDPARD_DISPATCH_H

#include "state.h"

/* A slot of the reader: holds an outstanding device request, or is free. */
typedef struct SsdpardSlot
{
	SsdpardDeviceRequest request;
	uint32_t	length;			/* requested, after clipping to the file */
	uint64_t	started;
	bool		untraced;		/* outstanding and not traced yet */
	int			next_free;		/* -1: end of the list */
} SsdpardSlot;

/*
 * Invariant: each slot is in the free list or with the reader, and the slots
 * with the reader hold the requests that the scheduler counts as outstanding.
 */
typedef struct SsdpardDispatch
{
	SsdpardState *state;
	SsdpardSlot slots[SSDPARD_SLOTS];
	int			first_free;		/* -1: none */
	int			nfree;
	int			first_device;	/* the first one served in the next turn */
} SsdpardDispatch;

typedef enum SsdpardDispatched
{
	SSDPARD_ALL_STARTED,		/* all that may be started */
	SSDPARD_MORE_TO_START,
	SSDPARD_SUBMIT_AGAIN,		/* the reader could not start some of them */
} SsdpardDispatched;

extern void ssdpard_dispatch_init(SsdpardDispatch *dispatch,
								  SsdpardState *state);

/* Starts as many requests as may be outstanding. */
extern SsdpardDispatched ssdpard_dispatch_start(SsdpardDispatch *dispatch);

/* Takes the completions of the reader. */
extern void ssdpard_dispatch_collect(SsdpardDispatch *dispatch);

#endif							/* SSDPARD_DISPATCH_H */
