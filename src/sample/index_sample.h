/*
 * index_sample.h
 *		How many rows an index has for the keys of joined rows, and some of
 *		them.
 */
#ifndef SSDPAR_INDEX_SAMPLE_H
#define SSDPAR_INDEX_SAMPLE_H

#include "storage/itemptr.h"

#include "sample/join_clauses.h"
#include "sample/key_order.h"

/* Row addresses kept of one key at most, chosen at random. */
#define SSDPAR_INDEX_SAMPLE_TIDS 512

typedef struct SsdparIndexSampleKey
{
	const SsdparKeyValue *values;	/* of each column that is looked up */
	bool		known;			/* it was looked up */
	bool		common;			/* a common value, of a stratum of its own */
	double		weight;			/* of its rows' pairs, by a fair sample's */
	double		rows;			/* in the index, dead ones too */
	int			ntids;
	int			room;
	ItemPointerData *tids;		/* some of them, in no order */
} SsdparIndexSampleKey;

/*
 * Invariant: the key of every row is known; NULL: none equals it.  even means
 * that every weight is 1.
 */
typedef struct SsdparIndexSample
{
	int			ncolumns;		/* that were looked up */
	const SsdparSampleKey *key; /* the first of them */
	const SsdparSampleJoined *set;	/* the one asked for, or the same with
									 * more of its table's rows */
	bool		even;
	bool		certain;		/* the set has all rows of common values */
	double		uncounted;		/* pairs of common values not looked up, by
								 * the statistics: as many as weights make */
	int			nrows;			/* of the set, looked up */
	int		   *rows;			/* their numbers, ascending */
	SsdparIndexSampleKey **keys;	/* of each */
	bool		distinct;		/* no two rows have the same key */
	int			nkeys;
	SsdparIndexSampleKey *all;
} SsdparIndexSample;

/* Is there an index for one of the join's keys, as far as the planner knows? */
extern bool ssdpar_has_sample_index(const SsdparSampleJoin *join);

/*
 * Looks up the keys of at most this many rows of the set, chosen at random;
 * NULL if there is no index for it or no time.  With a way to
 * join by index those of common values are chosen apart from the others
 * (key_strata.h); NULL: they are not.
 */
extern SsdparIndexSample *ssdpar_index_sample(SsdparSampler *sampler,
											  const SsdparSampleJoined *set,
											  const SsdparSampleJoin *join,
											  int most_rows,
											  SsdparSampleJoiner by_index);

#endif							/* SSDPAR_INDEX_SAMPLE_H */
