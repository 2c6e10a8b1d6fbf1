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
 * In what order the partners of one row come, if it is looked up by itself.  Of
 * several they always come as the index has them.
 */
typedef enum SsdparPartnerOrder
{
	SSDPAR_PARTNERS_BY_BLOCK,	/* each once */
	SSDPAR_PARTNERS_BY_INDEX,	/* each once */
	SSDPAR_PARTNERS_REPEATED,	/* as the index has them, maybe one twice */
} SsdparPartnerOrder;

/*
 * Invariants: of the matches before portion_end those from portion_first on
 * have tuples; the current row's next one, which is before match_end if there
 * is any, is not before portion_first.
 */
typedef struct SsdparPartners
{
	SsdparPartnerOrder order;
	Size		memory;			/* bytes for matches with their tuples */
	double		match_bytes;	/* of one of these, mean */
	SsdparMatches matches;
	SsdparHeapRows *heap_rows;
	uint64		match;			/* the current row's next one */
	uint64		match_end;
	bool		cut;			/* the index has more of this row */
	uint64		portion_first;
	uint64		portion_end;
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
								 const SsdparIndexOnly *only,
								 SsdparPartnerOrder order, Size memory);

/* Matches that there is memory for, with some to spare: widths differ. */
extern uint64 ssdpar_partners_usual_matches(const SsdparPartners *partners);

/*
 * Look up the rows first to end - 1, from the index alone if only is not NULL;
 * a key that has more than of_key matches is cut to of_cut_key, unless these
 * are 0.  False if those of several rows do not fit in memory, or the index's
 * tuples for one; then none is good.  Of one row the partners may be fetched
 * later.
 */
extern bool ssdpar_partners_find(SsdparPartners *partners,
								 SsdparOuterRows *rows, uint32 first,
								 uint32 end, SsdparIndexOnly *only,
								 uint64 of_key, uint64 of_cut_key,
								 SsdparJoinCounters *counters);

/* Those of one of these rows come next, one by one; false after the last. */
extern void ssdpar_partners_of_row(SsdparPartners *partners,
								   const SsdparOuterRow *row);
extern bool ssdpar_partners_next(SsdparPartners *partners,
								 SsdparPartner *partner,
								 SsdparJoinCounters *counters);

/*
 * Those of the only row once more, for another row that has its key; false if
 * that means to fetch them again, which is done for as many as fit.
 */
extern bool ssdpar_partners_again(SsdparPartners *partners,
								  SsdparJoinCounters *counters);

extern void ssdpar_partners_clear(SsdparPartners *partners);
extern void ssdpar_partners_end(SsdparPartners *partners);

#endif							/* SSDPAR_JOIN_PARTNERS_H */
