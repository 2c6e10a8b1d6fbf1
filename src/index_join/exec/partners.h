/*
 * partners.h
 *		The partners of some outer rows, looked up together: what the index has
 *		for their keys, and of that what the snapshot sees.
 */
#ifndef SSDPAR_JOIN_PARTNERS_H
#define SSDPAR_JOIN_PARTNERS_H

#include "access/htup.h"
#include "utils/snapshot.h"

#include "index_join/exec/counters.h"
#include "index_join/exec/heap_rows.h"
#include "index_join/exec/index_only.h"
#include "index_join/exec/matches.h"
#include "index_join/exec/outer_rows.h"

/*
 * Invariants: matches before portion_end have been fetched; the current row's
 * next one, which is before match_end if there is any, is none of those before
 * them.
 */
typedef struct SsdparPartners
{
	Size		memory;			/* bytes for matches with their tuples */
	double		match_bytes;	/* of one of these, mean */
	SsdparMatches matches;
	SsdparHeapRows *heap_rows;
	uint64		match;			/* the current row's next one */
	uint64		match_end;
	bool		cut;			/* the index has more of this row */
	uint64		portion_end;	/* matches from here on have no tuples */
	uint64		portion;		/* of the next portion of one row */
} SsdparPartners;

/*
 * An outer row's partner: one of the two, or none where nothing is wanted of
 * it.
 */
typedef struct SsdparPartner
{
	HeapTuple	heap;
	IndexTuple	index;
} SsdparPartner;

/*
 * In the current memory context.  only: NULL if columns of the table are
 * wanted; else matches are not much wider than their columns in the index.
 */
extern void ssdpar_partners_init(SsdparPartners *partners, Relation heap,
								 Relation index, Snapshot snapshot,
								 const SsdparIndexOnly *only, Size memory);

/* Matches that there is memory for, with some to spare: widths differ. */
extern uint64 ssdpar_partners_usual_matches(const SsdparPartners *partners);

/*
 * Look up the rows first to end - 1, from the index alone if only is not NULL,
 * and of each key no more than so many matches, unless that is 0.  False if
 * those of several rows do not fit in memory, or the index's tuples for one;
 * then none is good.  Of one row the partners may be fetched later.
 */
extern bool ssdpar_partners_find(SsdparPartners *partners,
								 SsdparOuterRows *rows, uint32 first,
								 uint32 end, SsdparIndexOnly *only,
								 uint64 most_of_key,
								 SsdparJoinCounters *counters);

/* Those of one of these rows come next, one by one; false after the last. */
extern void ssdpar_partners_of_row(SsdparPartners *partners,
								   const SsdparOuterRow *row);
extern bool ssdpar_partners_next(SsdparPartners *partners,
								 SsdparPartner *partner,
								 SsdparJoinCounters *counters);

extern void ssdpar_partners_clear(SsdparPartners *partners);
extern void ssdpar_partners_end(SsdparPartners *partners);

#endif							/* SSDPAR_JOIN_PARTNERS_H */
