/*
 * child_ranges.h
 *		A dimension that all processes of a parallel star scan read.
 */
#ifndef SSDPAR_CHILD_RANGES_H
#define SSDPAR_CHILD_RANGES_H

#include "starscan/exec/collectors.h"
#include "starscan/exec/participants.h"
#include "starscan/exec/result.h"

/* What a process helps with: it has the same plan, and children of its own. */
typedef struct SsdparKeysHelp
{
	const SsdparStarPlan *plan;
	SsdparStarChild *children;
} SsdparKeysHelp;

/* An SsdparChildReader's, with an SsdparKeysHelp. */
extern dsa_pointer ssdpar_collect_part(void *arg,
									   const SsdparParticipant *self,
									   const SsdparChildTask *task,
									   uint32 range);

/*
 * Can all read the child of reducer number n?  Only core's scan of a heap can
 * be told a range, and only what a row's own key says is collected by all:
 * nothing that reduces the child, no other keys for an index.  Keys that are
 * expected to take more than max_bytes make a Bloom filter, which is one
 * process's.
 */
extern bool ssdpar_may_share_child(const SsdparStarPlan *plan,
								   const SsdparStarChild *child, int n,
								   Size max_bytes,
								   const SsdparLookupKeys *keys);

/*
 * Read it, with the others, and note in result how many rows there were.  False
 * if one could not deliver what it had read: then all is to be read again, into
 * the same collectors, to which a key that they have is nothing new.
 */
extern bool ssdpar_run_child_by_all(SsdparStarChild *child,
									const SsdparParticipant *self,
									const SsdparChildTask *task,
									const SsdparCollectors *into,
									SsdparEarlyRead *early,
									SsdparStarResult *result);

#endif							/* SSDPAR_CHILD_RANGES_H */
