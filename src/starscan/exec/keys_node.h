/*
 * keys_node.h
 *		Executor node SsdparStarKeys.
 */
#ifndef SSDPAR_KEYS_NODE_H
#define SSDPAR_KEYS_NODE_H

#include "nodes/extensible.h"

/* Creates its state; called by the plan's CreateCustomScanState.  */
extern Node *ssdpar_create_keys_state(CustomScan *plan);

#endif							/* SSDPAR_KEYS_NODE_H */
