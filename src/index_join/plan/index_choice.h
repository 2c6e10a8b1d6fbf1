/*
 * index_choice.h
 *		Chooses the index that an index join searches, and the conditions for
 *		it.
 */
#ifndef SSDPAR_JOIN_INDEX_CHOICE_H
#define SSDPAR_JOIN_INDEX_CHOICE_H

#include "index_join/plan/candidate.h"

/*
 * Sets the candidate's index and keys.  Prefers the index with the fewest
 * matches per outer row, then the one with the fewest pages to read.  Returns
 * false if no index fits.
 */
extern bool ssdpar_choose_join_index(SsdparJoinCandidate *candidate,
									 const RelOptInfo *outer);

#endif							/* SSDPAR_JOIN_INDEX_CHOICE_H */
