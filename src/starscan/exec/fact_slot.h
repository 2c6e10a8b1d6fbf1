/*
 * fact_slot.h
 *		Slots of a star scan.
 */
#ifndef SSDPAR_FACT_SLOT_H
#define SSDPAR_FACT_SLOT_H

#include "nodes/execnodes.h"

/*
 * Initializes the node's scan slot and everything that depends on it.  Returns
 * the slot for rows of the fact, which is the scan slot unless reducers are
 * joined.
 */
extern TupleTableSlot *ssdpar_fact_slot_init(CustomScanState *css,
											 EState *estate);

#endif							/* SSDPAR_FACT_SLOT_H */
