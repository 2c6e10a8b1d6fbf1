/*
 * path.h
 *		Path and plan of SsdparIndexJoin.
 */
#ifndef SSDPAR_JOIN_PATH_H
#define SSDPAR_JOIN_PATH_H

#include "index_join/plan/candidate.h"
#include "index_join/plan/cost.h"

extern void ssdpar_register_index_join(void);

/*
 * Builds the path that joins the candidate's inner table to this outer path.
 */
extern Path *ssdpar_make_index_join_path(const SsdparJoinCandidate *candidate,
										 Path *outer, double rows,
										 const SsdparJoinCost *cost);

#endif							/* SSDPAR_JOIN_PATH_H */
