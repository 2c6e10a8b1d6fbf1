/*
 * node.h
 *		Executor node SsdparIndexJoin.
 */
#ifndef SSDPAR_JOIN_NODE_H
#define SSDPAR_JOIN_NODE_H

#include "nodes/extensible.h"

extern Node *ssdpar_create_index_join_state(CustomScan *plan);

#endif							/* SSDPAR_JOIN_NODE_H */
