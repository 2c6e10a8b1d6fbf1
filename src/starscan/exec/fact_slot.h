/*
 * fact_slot.h
 *		The slots of a star scan.
 */
#ifndef SSDPAR_FACT_SLOT_H
#define SSDPAR_FACT_SLOT_H

#include "nodes/execnodes.h"

/*
 * When the node begins: its scan slot, and all that depends on it.  Returns the
 * slot for rows of the fact, which is the same unless reducers are joined.
 */
extern TupleTableSlot *ssdpar_fact_slot_init(CustomScanState *css,
											 EState *estate);

#endif							/* SSDPAR_FACT_SLOT_H */
