/*
 * index_only.h
 *		Checks whether an index has all inner columns that an index join reads.
 */
#ifndef SSDPAR_JOIN_PLAN_INDEX_ONLY_H
#define SSDPAR_JOIN_PLAN_INDEX_ONLY_H

#include "utils/relcache.h"

#include "index_join/plan/candidate.h"

/* The candidate's keys must be set, and its index open. */
extern bool ssdpar_join_reads_index_only(const SsdparJoinCandidate *candidate,
										 Relation index);

/* Share of the matches for which the table has to be read. */
static inline double
ssdpar_join_heap_share(const SsdparJoinCandidate *candidate)
{
	return candidate->index_only ? 1.0 - candidate->inner->allvisfrac : 1.0;
}

#endif							/* SSDPAR_JOIN_PLAN_INDEX_ONLY_H */
