/*
 * index_only.h
 *		Has an index all columns of the inner table that an index join reads?
 */
#ifndef SSDPAR_JOIN_PLAN_INDEX_ONLY_H
#define SSDPAR_JOIN_PLAN_INDEX_ONLY_H

#include "utils/relcache.h"

#include "index_join/plan/candidate.h"

/* The candidate's index, which is open, with the keys that are set. */
extern bool ssdpar_join_reads_index_only(const SsdparJoinCandidate *candidate,
										 Relation index);

/* The share of rows found that are looked at in the table. */
static inline double
ssdpar_join_heap_share(const SsdparJoinCandidate *candidate)
{
	return candidate->index_only ? 1.0 - candidate->inner->allvisfrac : 1.0;
}

#endif							/* SSDPAR_JOIN_PLAN_INDEX_ONLY_H */
