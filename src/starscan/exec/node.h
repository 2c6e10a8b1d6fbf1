/*
 * node.h
 *		Executor node SsdparStarScan.
 */
#ifndef SSDPAR_STAR_NODE_H
#define SSDPAR_STAR_NODE_H

#include "nodes/extensible.h"

/* Creates its state; called by the plan's CreateCustomScanState.  */
extern Node *ssdpar_create_star_state(CustomScan *plan);

#endif							/* SSDPAR_STAR_NODE_H */
