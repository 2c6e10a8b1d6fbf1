/*
 * joined_columns.h
 *		Puts columns of joined dimensions beside the fact's.
 */
#ifndef SSDPAR_JOINED_COLUMNS_H
#define SSDPAR_JOINED_COLUMNS_H

#include "nodes/execnodes.h"

#include "starscan/exec/counters.h"
#include "starscan/exec/result.h"
#include "starscan/star_plan.h"

typedef struct SsdparJoinedColumns SsdparJoinedColumns;

/*
 * Give a node with joined reducers its scan slot, and the projection from it.
 * Quals must have been compiled for the fact's slot, which has the same columns
 * in the same places.
 */
extern void ssdpar_joined_columns_init_slot(CustomScanState *css,
											EState *estate);

extern bool ssdpar_has_joined_reducers(const SsdparStarPlan *plan);

/*
 * For the joined reducers of plan, in the current memory context; NULL if there
 * is none.  Rows go to ss's scan slot; counts has one entry a reducer.  The
 * partners are looked up in data as it is by then.
 */
extern SsdparJoinedColumns *
			ssdpar_joined_columns_create(const SsdparStarPlan *plan,
										 const SsdparStarData *data,
										 ScanState *ss,
										 SsdparFilterCount *counts);

/*
 * Find the partners of the fact's row in slot: fills ss's scan slot, which
 * points into slot; false if one is missing.
 */
extern bool ssdpar_joined_columns_find(SsdparJoinedColumns *joined,
									   TupleTableSlot *slot);

#endif							/* SSDPAR_JOINED_COLUMNS_H */
