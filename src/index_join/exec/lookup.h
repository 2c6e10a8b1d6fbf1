/*
 * lookup.h
 *		Reads outer rows in batches and finds the partners of each row.
 */
#ifndef SSDPAR_JOIN_LOOKUP_H
#define SSDPAR_JOIN_LOOKUP_H

#include "nodes/execnodes.h"

#include "index_join/exec/counters.h"
#include "index_join/exec/index_only.h"
#include "index_join/exec/lookup_key.h"
#include "index_join/exec/partners.h"

typedef struct SsdparLookup SsdparLookup;

/*
 * The source of outer rows, which returns NULL or an empty slot at the end,
 * and how they are looked up.
 */
typedef struct SsdparLookupSource
{
	PlanState  *outer;
	const SsdparLookupKey *key; /* of the outer rows */
	int			first_batch;	/* number of outer rows */
	bool		one_is_enough;	/* need only one partner that passes the
								 * filter */
	SsdparPartnerOrder order;
	SsdparIndexOnly *only;		/* NULL: columns of the table are needed */
	Relation	heap;			/* of the partners */
	Relation	index;
	Snapshot	snapshot;
} SsdparLookupSource;

/*
 * Starts in the current memory context.  Counts in the struct that *counters
 * points to at that time.
 */
extern SsdparLookup *ssdpar_lookup_begin(const SsdparLookupSource *source,
										 SsdparJoinCounters **counters);

/*
 * ssdpar_lookup_next_row() returns the outer rows in their order of arrival,
 * and NULL after the last.  ssdpar_lookup_next_partner() returns the current
 * row's partners, and false after the last.  A row is valid until the next row
 * is requested, a partner until the next row or partner is.  Partners may be
 * fetched later than their row.
 */
extern MinimalTuple ssdpar_lookup_next_row(SsdparLookup *lookup);
extern bool ssdpar_lookup_next_partner(SsdparLookup *lookup,
									   SsdparPartner *partner);

/* Forgets all rows; the source will be read from the beginning.  */
extern void ssdpar_lookup_rescan(SsdparLookup *lookup);

extern void ssdpar_lookup_end(SsdparLookup *lookup);

#endif							/* SSDPAR_JOIN_LOOKUP_H */
