/*
 * child_ranges.h
 *		Reads a dimension with all processes of a parallel star scan.
 */
#ifndef SSDPAR_CHILD_RANGES_H
#define SSDPAR_CHILD_RANGES_H

#include "starscan/exec/collectors.h"
#include "starscan/exec/participants.h"
#include "starscan/exec/result.h"

/* What a helping process needs: the plan, and its own children.  */
typedef struct SsdparKeysHelp
{
	const SsdparStarPlan *plan;
	SsdparStarChild *children;
} SsdparKeysHelp;

/* Callback of SsdparChildReader; arg is an SsdparKeysHelp.  */
extern dsa_pointer ssdpar_collect_part(void *arg,
									   const SsdparParticipant *self,
									   const SsdparChildTask *task,
									   uint32 range);

/*
 * Can all processes read the child of reducer n?
 *
 * The child must be core's scan of a heap, because only that can be restricted
 * to a range.  Processes can collect only what a row's key alone determines,
 * so no other reducer may reduce the child and no separate keys for an index
 * may be wanted.  If the keys are expected to exceed max_bytes, they become a
 * Bloom filter, which one process has to build.
 */
extern bool ssdpar_may_share_child(const SsdparStarPlan *plan,
								   const SsdparStarChild *child, int n,
								   Size max_bytes,
								   const SsdparLookupKeys *keys);

/*
 * Reads the child together with the other processes and stores the number of
 * rows in result.  Returns false if a process could not deliver what it had
 * read.  The caller then has to read the whole child again into the same
 * collectors; adding a key twice does no harm.
 */
extern bool ssdpar_run_child_by_all(SsdparStarChild *child,
									const SsdparParticipant *self,
									const SsdparChildTask *task,
									const SsdparCollectors *into,
									SsdparEarlyRead *early,
									SsdparStarResult *result);

#endif							/* SSDPAR_CHILD_RANGES_H */
