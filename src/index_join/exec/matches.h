/*
 * matches.h
 *		Finds the row addresses that the index has for the keys of some outer
 *		rows.
 */
#ifndef SSDPAR_JOIN_MATCHES_H
#define SSDPAR_JOIN_MATCHES_H

#include "access/htup.h"
#include "utils/relcache.h"

#include "index_join/exec/counters.h"
#include "index_join/exec/index_only.h"
#include "index_join/exec/outer_rows.h"

/*
 * The index tuple, if needed, is set from the beginning; the heap tuple when
 * fetched.
 */
typedef struct SsdparMatch
{
	union
	{
		HeapTuple	heap;
		IndexTuple	index;		/* if the table is read only to check
								 * visibility */
	}			tuple;
	ItemPointerData tid;
	bool		all_visible;	/* checked while its leaf was pinned */
	bool		found;			/* visible, and not a duplicate */
} SsdparMatch;

/* Matches first to end - 1 are those of a key.  */
typedef struct SsdparMatchedKey
{
	uint64		first;
	uint64		end;
	bool		cut;			/* the index has more of them */
} SsdparMatchedKey;

/*
 * Maximum number of matches in total and for a key; a key with more is cut to
 * of_cut_key. 0 means no limit.
 */
typedef struct SsdparMatchLimits
{
	uint64		all;
	uint64		of_key;
	uint64		of_cut_key;
} SsdparMatchLimits;

/* Invariant: the matches of a key are adjacent, in the index's order.  */
typedef struct SsdparMatches
{
	MemoryContext context;
	Relation	index;
	SsdparPageMethod method;	/* for reading the index */
	SsdparIndexOnly *only;		/* NULL: columns of the table are needed */
	SsdparMatchedKey *keys;
	uint32		nkeys;
	uint32		nrows;			/* rows that have one of them */
	SsdparMatch *matches;
	uint64		count;
	uint64		room;
	SsdparMatchLimits limits;
	uint32		ncut;			/* keys that have been cut */
	uint64		largest;		/* lower bound for the key with the most
								 * matches */
	Size		tuple_bytes;	/* size of the index tuples */
	Size		memory;			/* limit for these, unless limits.all is 0 */
	bool		too_many;
} SsdparMatches;

/* memory limits the index tuples.  */
extern void ssdpar_matches_init(SsdparMatches *matches, Relation index,
								Size memory);

/* Are index tuples kept?  */
static inline bool
ssdpar_matches_have_tuples(const SsdparMatches *matches)
{
	return matches->only != NULL && matches->only->wants_columns;
}

extern void ssdpar_matches_clear(SsdparMatches *matches);

/*
 * Looks up the keys of rows first to end - 1 and sets the number of each row's
 * key.  Returns false if there are more matches than limits->all or if they do
 * not fit in memory; then no match is valid.
 */
extern bool ssdpar_matches_find(SsdparMatches *matches, SsdparOuterRows *rows,
								uint32 first, uint32 end,
								const SsdparMatchLimits *limits,
								SsdparJoinCounters *counters);

/*
 * Remove duplicate matches of the only key, leaving block order or the index's
 * order.
 */
extern void ssdpar_matches_sort(SsdparMatches *matches);
extern void ssdpar_matches_drop_repeated(SsdparMatches *matches);

/* Do two matches have the same key?  */
extern bool ssdpar_matches_are_of_one_key(const SsdparMatches *matches,
										  uint64 a, uint64 b);

#endif							/* SSDPAR_JOIN_MATCHES_H */
