/*
 * residency.h
 *		Estimates which share of a relation is in memory, for the cost model.
 */
#ifndef SSDPAR_RESIDENCY_H
#define SSDPAR_RESIDENCY_H

#include "cost/model.h"

/*
 * Shares of the pages of a table or an index (npages of its main fork) in
 * shared buffers and in the OS page cache.  Depending on ssdpar.residency they
 * are sampled and cached for ssdpar.residency_ttl, or assumed as none or all.
 * The caller holds a lock on the relation.  Never fails, and never waits for
 * the device; what cannot be determined counts as not in memory.
 */
extern SsdparResidency ssdpar_residency_of(Oid relation, BlockNumber npages);

/* Shares of a relation that is completely in memory. */
extern SsdparResidency ssdpar_residency_in_memory(BlockNumber npages);

#endif							/* SSDPAR_RESIDENCY_H */
