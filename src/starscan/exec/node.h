/*
 * node.h
 *		The executor's node SsdparStarScan.
 */
#ifndef SSDPAR_STAR_NODE_H
#define SSDPAR_STAR_NODE_H

#include "nodes/extensible.h"

/* Its state, for the plan's CreateCustomScanState. */
extern Node *ssdpar_create_star_state(CustomScan *plan);

/*
 * If ps is one: from now on it hands up the slot pause, which is no row, after
 * each so many pages.  Returns the pages that it is expected to read, below 0
 * if ps is none.
 */
extern double ssdpar_star_take_turns(PlanState *ps, TupleTableSlot *pause,
									 int pages);

#endif							/* SSDPAR_STAR_NODE_H */
