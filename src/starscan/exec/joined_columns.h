/*
 * joined_columns.h
 *		Adds columns of joined dimensions to the fact's rows.
 */
#ifndef SSDPAR_JOINED_COLUMNS_H
#define SSDPAR_JOINED_COLUMNS_H

#include "nodes/execnodes.h"

#include "starscan/exec/counters.h"
#include "starscan/exec/result.h"
#include "starscan/star_plan.h"

typedef struct SsdparJoinedColumns SsdparJoinedColumns;

/*
 * Sets up the scan slot and the projection of a node with joined reducers.
 * The quals must have been compiled for the fact's slot, which has the same
 * columns at the same positions.
 */
extern void ssdpar_joined_columns_init_slot(CustomScanState *css,
											EState *estate);

extern bool ssdpar_has_joined_reducers(const SsdparStarPlan *plan);

/*
 * Prepares the joined reducers of plan, in the current memory context; returns
 * NULL if there are none.  Rows are stored in ss's scan slot.  counts has one
 * entry for each reducer.  Partners are looked up in data, which may be filled
 * later.
 */
extern SsdparJoinedColumns *
			ssdpar_joined_columns_create(const SsdparStarPlan *plan,
										 const SsdparStarData *data,
										 ScanState *ss,
										 SsdparFilterCount *counts);

/*
 * Finds the partners of the fact's row in slot and stores the joined row in
 * ss's scan slot, which then refers to slot.  Returns false if a partner is
 * missing.
 */
extern bool ssdpar_joined_columns_find(SsdparJoinedColumns *joined,
									   TupleTableSlot *slot);

#endif							/* SSDPAR_JOINED_COLUMNS_H */
