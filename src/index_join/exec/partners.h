/*
 * partners.h
 *		The partners of some outer rows that are looked up together: the
 *		matches in the index that the snapshot sees.
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
 * The order of a row's partners if it is looked up alone.  If several rows are
 * looked up together, it is always the index's order.
 */
typedef enum SsdparPartnerOrder
{
	SSDPAR_PARTNERS_BY_BLOCK,	/* each once */
	SSDPAR_PARTNERS_BY_INDEX,	/* each once */
	SSDPAR_PARTNERS_REPEATED,	/* in the index's order, with possible
								 * duplicates */
} SsdparPartnerOrder;

/*
 * Invariants: the matches from portion_first to portion_end - 1 have tuples.
 * The current row's next match, which is less than match_end if there is one,
 * is not before portion_first.
 */
typedef struct SsdparPartners
{
	SsdparPartnerOrder order;
	Size		memory;			/* limit for matches with their tuples */
	double		match_bytes;	/* mean size of one of these */
	SsdparMatches matches;
	SsdparHeapRows *heap_rows;
	uint64		match;			/* the current row's next one */
	uint64		match_end;
	bool		cut;			/* the index has more for this row */
	uint64		portion_first;
	uint64		portion_end;
	uint64		portion;		/* size of the next portion of one row */
} SsdparPartners;

/*
 * An outer row's partner: one of the two, or none if no column of it is
 * needed.
 */
typedef struct SsdparPartner
{
	HeapTuple	heap;
	IndexTuple	index;
} SsdparPartner;

/*
 * Initializes partners in the current memory context.  only is NULL if columns
 * of the table are needed; otherwise a match is not much wider than its
 * columns in the index.
 */
extern void ssdpar_partners_init(SsdparPartners *partners, Relation heap,
								 Relation index, Snapshot snapshot,
								 const SsdparIndexOnly *only,
								 SsdparPartnerOrder order, Size memory);

/*
 * Returns the number of matches that fit in memory, with a reserve, because
 * widths differ.
 */
extern uint64 ssdpar_partners_usual_matches(const SsdparPartners *partners);

/*
 * Looks up the rows first to end - 1, only in the index if only is not NULL.
 * A key with more than of_key matches is cut to of_cut_key, unless these are
 * 0.  Returns false if the tuples of several rows, or the index tuples of one,
 * do not fit in memory; then nothing is valid.  The partners of a single row
 * may be fetched later.
 */
extern bool ssdpar_partners_find(SsdparPartners *partners,
								 SsdparOuterRows *rows, uint32 first,
								 uint32 end, SsdparIndexOnly *only,
								 uint64 of_key, uint64 of_cut_key,
								 SsdparJoinCounters *counters);

/*
 * Selects the partners of one of these rows; ssdpar_partners_next() then
 * returns them one at a time, and false after the last.
 */
extern void ssdpar_partners_of_row(SsdparPartners *partners,
								   const SsdparOuterRow *row);
extern bool ssdpar_partners_next(SsdparPartners *partners,
								 SsdparPartner *partner,
								 SsdparJoinCounters *counters);

/*
 * Restarts the partners of the only row, for another row with the same key.  If
 * they have to be fetched again, this is done for as many as fit.
 */
extern void ssdpar_partners_again(SsdparPartners *partners,
								  SsdparJoinCounters *counters);

extern void ssdpar_partners_clear(SsdparPartners *partners);
extern void ssdpar_partners_end(SsdparPartners *partners);

#endif							/* SSDPAR_JOIN_PARTNERS_H */
