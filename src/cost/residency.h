/*
 * residency.h
 *		How much of a relation is in memory, for the cost model.
 */
#ifndef SSDPAR_RESIDENCY_H
#define SSDPAR_RESIDENCY_H

#include "cost/model.h"

/*
 * Shares of the pages of a table or an index (npages of its main fork) that
 * are in shared buffers and in the OS page cache.  As ssdpar.residency says:
 * seen by samples and remembered for ssdpar.residency_ttl, or none, or all.
 * The caller holds a lock on the relation.  Never fails and never waits for
 * the device; what cannot be found out counts as not in memory.
 */
extern SsdparResidency ssdpar_residency_of(Oid relation, BlockNumber npages);

/* Those of a relation that is in memory, all of it. */
extern SsdparResidency ssdpar_residency_in_memory(BlockNumber npages);

#endif							/* SSDPAR_RESIDENCY_H */
