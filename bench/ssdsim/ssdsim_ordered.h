/*
 * ssdsim_ordered.h
 *		Requests in order of a number of theirs, of equals the one that came
 *		first; any number of them, added and taken out in logarithmic time.
 *
 * A request that is in one carries the tree's links itself.
 */
#ifndef SSDSIM_ORDERED_H
#define SSDSIM_ORDERED_H

#include "ssdsim_request.h"

typedef struct SsdsimOrdered
{
	SsdsimRequest *root;
	uint64_t	added;			/* so far, which tells who came first */
	uint64_t	random;			/* keeps it flat */
} SsdsimOrdered;

extern void ssdsim_ordered_add(SsdsimOrdered *ordered, SsdsimRequest *request,
							   uint64_t key);
extern void ssdsim_ordered_remove(SsdsimOrdered *ordered,
								  SsdsimRequest *request);

/* The first whose number is at least KEY; NULL if there is none. */
extern SsdsimRequest *ssdsim_ordered_from(const SsdsimOrdered *ordered,
										  uint64_t key);

/* The one after a request that is in it; NULL after the last. */
extern SsdsimRequest *ssdsim_ordered_after(const SsdsimOrdered *ordered,
										   const SsdsimRequest *request);

#endif							/* SSDSIM_ORDERED_H */
