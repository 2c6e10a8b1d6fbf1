/*
 * lookup.h
 *		Outer rows in batches, each row with its partners.
 */
#ifndef SSDPAR_JOIN_LOOKUP_H
#define SSDPAR_JOIN_LOOKUP_H

#include "nodes/execnodes.h"

#include "index_join/exec/counters.h"
#include "index_join/exec/index_only.h"
#include "index_join/exec/lookup_key.h"
#include "index_join/exec/partners.h"
#include "index_join/go_over.h"

typedef struct SsdparLookup SsdparLookup;

/* Where the next outer row comes from: NULL or an empty slot at the end. */
typedef struct SsdparLookupSource
{
	PlanState  *outer;
	const SsdparLookupKey *key; /* what it is looked up by */
	int			first_batch;	/* outer rows */
	bool		one_is_enough;	/* is no more than one partner asked for, but
								 * for those that will not do? */
	SsdparPartnerOrder order;
	SsdparIndexOnly *only;		/* NULL: columns of the table are wanted */
	Relation	heap;			/* of the partners */
	Relation	index;
	Snapshot	snapshot;

	const SsdparGoOver *go_over;
	const AttrNumber *inner_columns;	/* of heap, that are read */
	int			ninner;
	int			plan_node_id;
} SsdparLookupSource;

/* In the current memory context; counts where *counters then points to. */
extern SsdparLookup *ssdpar_lookup_begin(const SsdparLookupSource *source,
										 SsdparJoinCounters **counters);

/*
 * The next outer row, in the order in which they come, NULL after the last; and
 * then its partners one by one, false after the last.  A row stays until the
 * next one is asked for, a partner until the next of both.  Not all partners
 * that are not asked for are fetched.
 */
extern MinimalTuple ssdpar_lookup_next_row(SsdparLookup *lookup);
extern bool ssdpar_lookup_next_partner(SsdparLookup *lookup,
									   SsdparPartner *partner);

/* Forget all rows; the source is going to be read from its beginning. */
extern void ssdpar_lookup_rescan(SsdparLookup *lookup);

extern void ssdpar_lookup_end(SsdparLookup *lookup);

#endif							/* SSDPAR_JOIN_LOOKUP_H */
