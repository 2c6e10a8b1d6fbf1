/*
 * matches.h
 *		The row addresses that the index has for the keys of some outer rows.
 */
#ifndef SSDPAR_JOIN_MATCHES_H
#define SSDPAR_JOIN_MATCHES_H

#include "access/htup.h"
#include "utils/relcache.h"

#include "index_join/exec/counters.h"
#include "index_join/exec/index_only.h"
#include "index_join/exec/outer_rows.h"

/* Of its tuples the index's is there from the beginning, if it is wanted. */
typedef struct SsdparMatch
{
	union
	{
		HeapTuple	heap;
		IndexTuple	index;		/* if the table is read for visibility alone */
	}			tuple;
	ItemPointerData tid;
	bool		all_visible;	/* was it, while its leaf was pinned? */
	bool		found;			/* fetched or all visible, and not one before */
} SsdparMatch;

/* Matches first to end - 1 are those of a key. */
typedef struct SsdparMatchedKey
{
	uint64		first;
	uint64		end;
	bool		cut;			/* the index has more of them */
} SsdparMatchedKey;

/*
 * How many matches are taken, in all and of a key: one that has more is cut to
 * fewer.  0: as many as there are.
 */
typedef struct SsdparMatchLimits
{
	uint64		all;
	uint64		of_key;
	uint64		of_cut_key;
} SsdparMatchLimits;

/* Invariant: the matches of a key are neighbours, in the index's order. */
typedef struct SsdparMatches
{
	MemoryContext context;
	Relation	index;
	SsdparPageMethod method;	/* of reading the index */
	SsdparIndexOnly *only;		/* NULL: columns of the table are wanted */
	SsdparMatchedKey *keys;
	uint32		nkeys;
	uint32		nrows;			/* that have one of them */
	SsdparMatch *matches;
	uint64		count;
	uint64		room;
	SsdparMatchLimits limits;
	uint32		ncut;			/* keys that have more */
	uint64		largest;		/* of a key, at least, cut or not */
	Size		tuple_bytes;	/* of the index's tuples */
	Size		memory;			/* for these, unless limits.all is 0 */
	bool		too_many;
} SsdparMatches;

/* memory: for tuples of the index. */
extern void ssdpar_matches_init(SsdparMatches *matches, Relation index,
								Size memory);

/* Are tuples of the index kept? */
static inline bool
ssdpar_matches_have_tuples(const SsdparMatches *matches)
{
	return matches->only != NULL && matches->only->wants_columns;
}

extern void ssdpar_matches_clear(SsdparMatches *matches);

/*
 * Look up the keys of rows first to end - 1, and give each its key's number.
 * False if there are more matches than limits->all, or there is no memory for
 * as many; then none is good.
 */
extern bool ssdpar_matches_find(SsdparMatches *matches, SsdparOuterRows *rows,
								uint32 first, uint32 end,
								const SsdparMatchLimits *limits,
								SsdparJoinCounters *counters);

/* Leave each match of the only key once, in block order or the index's. */
extern void ssdpar_matches_sort(SsdparMatches *matches);
extern void ssdpar_matches_drop_repeated(SsdparMatches *matches);

/* Do two matches have one key? */
extern bool ssdpar_matches_are_of_one_key(const SsdparMatches *matches,
										  uint64 a, uint64 b);

#endif							/* SSDPAR_JOIN_MATCHES_H */
