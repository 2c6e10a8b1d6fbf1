/*
 * go_over_price.h
 *		Computes the number of outer rows from which an index join should
 *		switch to reading its inner table once.
 */
#ifndef SSDPAR_JOIN_GO_OVER_PRICE_H
#define SSDPAR_JOIN_GO_OVER_PRICE_H

#include "nodes/plannodes.h"

#include "index_join/go_over.h"
#include "index_join/plan/candidate.h"
#include "index_join/plan/cost.h"

/*
 * outer is the plan of outer_path.  searched has all index conditions, with
 * the index's columns on the left.  any_order tells whether pairs may be
 * tested in any order.
 */
extern SsdparGoOver ssdpar_go_over_price(const SsdparJoinCandidate *candidate,
										 const SsdparJoinPrices *prices,
										 const Path *outer_path,
										 const Plan *outer, List *searched,
										 bool any_order);

#endif							/* SSDPAR_JOIN_GO_OVER_PRICE_H */
