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
 * joined.  *late_filter receives the quals to evaluate for rows that pass
 * everything else; NULL if there are none.
 */
extern TupleTableSlot *ssdpar_fact_slot_init(CustomScanState *css,
											 EState *estate,
											 ExprState **late_filter);

#endif							/* SSDPAR_FACT_SLOT_H */
