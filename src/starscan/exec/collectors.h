/*
 * collectors.h
 *		Destinations of the rows that a star scan's child returns.
 */
#ifndef SSDPAR_STAR_COLLECTORS_H
#define SSDPAR_STAR_COLLECTORS_H

#include "nodes/execnodes.h"

#include "keys/key_rows.h"
#include "prefetch/early_read.h"
#include "starscan/exec/lookup_keys.h"
#include "starscan/star_plan.h"

/* The child plan of a reducer.  */
typedef struct SsdparStarChild
{
	PlanState  *plan;
	bool		ran;			/* must be rescanned before the next run */
} SsdparStarChild;

/* An earlier reducer, which tests the rows of a later reducer's child.  */
typedef struct SsdparSnowflake
{
	SsdparKeyCoder *coder;
	const SsdparKeySet *set;
} SsdparSnowflake;

/* Destinations; NULL members are not filled.  */
typedef struct SsdparCollectors
{
	SsdparKeyCoder *coder;
	SsdparKeyBuilder *builder;
	SsdparLookupKeys *keys;
	SsdparKeyRowsBuilder *rows;
} SsdparCollectors;

/* Is the dimension joined by an exact set of its keys, or by its rows?  */
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

/* Creates a builder limited to max_bytes, unless the set has to be exact.  */
extern SsdparKeyBuilder *ssdpar_set_builder(const SsdparReducer *reducer,
											Size max_bytes);

/*
 * Creates a builder for the rows of a child, or NULL if it is not joined by
 * rows.
 */
extern SsdparKeyRowsBuilder *ssdpar_rows_builder(const SsdparReducer *reducer,
												 const SsdparStarChild *child);

/*
 * Returns the next row of a child.  If first is true and the child has run
 * before, it is rescanned.  Memory that the child allocates lives as long as
 * the query, because it must survive the context in which the result is built.
 */
extern TupleTableSlot *ssdpar_next_child_row(SsdparStarChild *child,
											 bool first);

/*
 * Collects a child's rows from slot to the last one; returns the number of
 * rows that remain.  Memory allocated to code a row is freed with the row; the
 * collectors copy what they keep into their own contexts.
 */
extern uint64 ssdpar_collect_rows(SsdparStarChild *child,
								  TupleTableSlot *slot,
								  const SsdparSnowflake *snowflakes,
								  int nsnowflakes,
								  const SsdparCollectors *into,
								  SsdparEarlyRead *early);

#endif							/* SSDPAR_STAR_COLLECTORS_H */
