/*
 * collectors.h
 *		What the rows of a child of a star scan are collected into.
 */
#ifndef SSDPAR_STAR_COLLECTORS_H
#define SSDPAR_STAR_COLLECTORS_H

#include "nodes/execnodes.h"

#include "keys/key_rows.h"
#include "prefetch/early_read.h"
#include "starscan/exec/lookup_keys.h"
#include "starscan/star_plan.h"

/* The child plan of a reducer. */
typedef struct SsdparStarChild
{
	PlanState  *plan;
	bool		ran;			/* has to be started again */
} SsdparStarChild;

/* An earlier reducer, which tests the rows of a later one's child. */
typedef struct SsdparSnowflake
{
	SsdparKeyCoder *coder;
	const SsdparKeySet *set;
} SsdparSnowflake;

/* NULL: not into that. */
typedef struct SsdparCollectors
{
	SsdparKeyCoder *coder;
	SsdparKeyBuilder *builder;
	SsdparLookupKeys *keys;
	SsdparKeyRowsBuilder *rows;
} SsdparCollectors;

/* Is the dimension joined by an exact set of its keys, or by its rows? */
static inline bool
ssdpar_joined_by_keys(const SsdparReducer *reducer)
{
	return reducer->joined && reducer->njoined_columns == 0;
}

static inline bool
ssdpar_joined_by_rows(const SsdparReducer *reducer)
{
	return reducer->joined && reducer->njoined_columns > 0;
}

/* Within max_bytes, but for a set that has to be exact. */
extern SsdparKeyBuilder *ssdpar_set_builder(const SsdparReducer *reducer,
											Size max_bytes);

/* For the rows of a child that is joined by them; NULL: it is not. */
extern SsdparKeyRowsBuilder *ssdpar_rows_builder(const SsdparReducer *reducer,
												 const SsdparStarChild *child);

/*
 * The next row of a child, which is started again if it has run before.  What
 * the child allocates for itself on the way lives as long as the query, not as
 * long as the building of the result.
 */
extern TupleTableSlot *ssdpar_next_child_row(SsdparStarChild *child,
											 bool first);

/*
 * Collect a child's rows from slot on to the last; returns how many of them are
 * left.  Whatever coding a row allocates goes with the row, what is kept of it
 * is kept by the collectors in their own contexts.
 */
extern uint64 ssdpar_collect_rows(SsdparStarChild *child,
								  TupleTableSlot *slot,
								  const SsdparSnowflake *snowflakes,
								  int nsnowflakes,
								  const SsdparCollectors *into,
								  SsdparEarlyRead *early);

#endif							/* SSDPAR_STAR_COLLECTORS_H */
