/*
 * batches.h
 *		What the batches of an index join cost.
 */
#ifndef SSDPAR_JOIN_BATCHES_H
#define SSDPAR_JOIN_BATCHES_H

#include "index_join/plan/cost.h"

/* What the reading of one join is like. */
typedef struct SsdparLookups
{
	const SsdparJoinCandidate *candidate;
	const SsdparJoinPrices *prices;
	double		processes;
	double		keys;			/* distinct, of all outer rows */
	double		outer_rows;		/* of one process, if all are looked up */
	double		in_order;		/* 0 to 1: do the keys come in their order? */
	double		depth;			/* requests that one process keeps */
	bool		ahead;			/* is anything read ahead at all? */
	double		new_pages;		/* share of its pages that a batch reads */
	double		new_leaves;		/* first, of table and index */
} SsdparLookups;

/* The first column that keys differ in. */
extern const SsdparSearchedColumn *
			ssdpar_first_searched(const SsdparJoinCandidate *candidate);

/* Different ones among so many picks of n. */
extern double ssdpar_distinct_of(double n, double picks);

/* Will all rows of the join be asked for, if it is made of this path? */
extern bool ssdpar_batch_takes_all(const SsdparJoinCandidate *candidate,
								   const Path *outer);

/*
 * Outer rows of one process's first batch: all that are expected where all are
 * wanted; one where a row may be enough.
 */
extern double ssdpar_join_first_batch(const SsdparJoinCandidate *candidate,
									  const Path *outer);

/* 0 to 1: do the keys of an outer path come in the order of their table? */
extern double ssdpar_order_of_keys(const SsdparJoinCandidate *candidate,
								   const SsdparJoinPrices *prices,
								   const Path *outer);

/* Outer rows of a full batch, and of the first one. */
extern double ssdpar_batch_most_rows(const SsdparLookups *lookups,
									 const Path *outer);
extern double ssdpar_batch_first_rows(const SsdparLookups *lookups,
									  const Path *outer, double outer_rows);

/* What a batch of so many rows takes at least, wherever its pages are. */
extern Cost ssdpar_batch_least_cost(const SsdparJoinPrices *prices,
									double rows);

/*
 * All batches of one process that looks so many outer rows up; in *first the
 * first of them.
 */
extern Cost ssdpar_batches_cost(SsdparLookups *lookups, const Path *outer,
								double outer_rows, Cost *first);

#endif							/* SSDPAR_JOIN_BATCHES_H */
