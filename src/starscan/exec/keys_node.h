/*
 * keys_node.h
 *		The executor's node SsdparStarKeys.
 */
#ifndef SSDPAR_KEYS_NODE_H
#define SSDPAR_KEYS_NODE_H

#include "nodes/extensible.h"

/* Its state, for the plan's CreateCustomScanState. */
extern Node *ssdpar_create_keys_state(CustomScan *plan);

#endif							/* SSDPAR_KEYS_NODE_H */
