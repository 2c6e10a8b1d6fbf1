/*
 * index_choice.h
 *		By which index, and which conditions, an index join may search.
 */
#ifndef SSDPAR_JOIN_INDEX_CHOICE_H
#define SSDPAR_JOIN_INDEX_CHOICE_H

#include "index_join/plan/candidate.h"

/*
 * Set the candidate's index and what it is searched by: the index with the
 * fewest rows for an outer row, and of these with the fewest pages to read.
 * False if there is none.
 */
extern bool ssdpar_choose_join_index(SsdparJoinCandidate *candidate,
									 const RelOptInfo *outer);

#endif							/* SSDPAR_JOIN_INDEX_CHOICE_H */
