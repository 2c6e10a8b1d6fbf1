/*
 * ssdsim_ordered.h
 *		Requests ordered by a number and then by arrival; any number of them,
 *		added and removed in logarithmic time.
 *
 * A request contains the tree's links.
 */
#ifndef SSDSIM_ORDERED_H
#define SSDSIM_ORDERED_H

#include "ssdsim_request.h"

typedef struct SsdsimOrdered
{
	SsdsimRequest *root;
	uint64_t	added;			/* so far, which tells the order of arrival */
	uint64_t	random;			/* keeps it balanced */
} SsdsimOrdered;

extern void ssdsim_ordered_add(SsdsimOrdered *ordered, SsdsimRequest *request,
							   uint64_t key);
extern void ssdsim_ordered_remove(SsdsimOrdered *ordered,
								  SsdsimRequest *request);

/* The first whose number is at least KEY; NULL if there is none. */
extern SsdsimRequest *ssdsim_ordered_from(const SsdsimOrdered *ordered,
										  uint64_t key);

/* The one after a request in it; NULL after the last. */
extern SsdsimRequest *ssdsim_ordered_after(const SsdsimOrdered *ordered,
										   const SsdsimRequest *request);

#endif							/* SSDSIM_ORDERED_H */
