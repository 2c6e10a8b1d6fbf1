/*
 * go_over_price.h
 *		From how many outer rows on an index join had better read its inner
 *		table once.
 */
#ifndef SSDPAR_JOIN_GO_OVER_PRICE_H
#define SSDPAR_JOIN_GO_OVER_PRICE_H

#include "nodes/plannodes.h"

#include "index_join/go_over.h"
#include "index_join/plan/candidate.h"
#include "index_join/plan/cost.h"

/*
 * For a join of this path's rows, as outer's target list has them.  searched:
 * all conditions that the index is searched by, the index's columns on the
 * left; any_order: may pairs be tested in any order?
 */
extern SsdparGoOver ssdpar_go_over_price(const SsdparJoinCandidate *candidate,
										 const SsdparJoinPrices *prices,
										 const Path *outer_path,
										 const Plan *outer, List *searched,
										 bool any_order);

#endif							/* SSDPAR_JOIN_GO_OVER_PRICE_H */
