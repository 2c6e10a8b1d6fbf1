/*
 * batches.h
 *		Prices the batches in which an index join looks up its outer rows.
 */
#ifndef SSDPAR_JOIN_BATCHES_H
#define SSDPAR_JOIN_BATCHES_H

#include "index_join/plan/cost.h"

/* How one join reads. */
typedef struct SsdparLookups
{
	const SsdparJoinCandidate *candidate;
	const SsdparJoinPrices *prices;
	double		processes;
	double		keys;			/* distinct ones among all outer rows */
	double		outer_rows;		/* of one process, if all are looked up */
	double		in_order;		/* 0 to 1: are the keys in their table's
								 * order? */
	double		depth;			/* requests one process keeps outstanding */
	bool		ahead;			/* is anything read ahead? */
	double		new_pages;		/* share of its table pages that are new */
	double		new_leaves;		/* the same for the index */
} SsdparLookups;

/* The first index column that is compared with the outer side. */
extern const SsdparSearchedColumn *
			ssdpar_first_searched(const SsdparJoinCandidate *candidate);

/* Expected number of distinct values among picks random ones of n. */
extern double ssdpar_distinct_of(double n, double picks);

/* Will all rows of a join with this outer path be requested? */
extern bool ssdpar_batch_takes_all(const SsdparJoinCandidate *candidate,
								   const Path *outer);

/*
 * Outer rows in one process's first batch: all expected ones if all are
 * wanted, else one, because a single row may be enough.
 */
extern double ssdpar_join_first_batch(const SsdparJoinCandidate *candidate,
									  const Path *outer);

/* 0 to 1: how well the keys of an outer path follow their table's order. */
extern double ssdpar_order_of_keys(const SsdparJoinCandidate *candidate,
								   const SsdparJoinPrices *prices,
								   const Path *outer);

/* Outer rows of a full batch, and of the first one. */
extern double ssdpar_batch_most_rows(const SsdparLookups *lookups,
									 const Path *outer);
extern double ssdpar_batch_first_rows(const SsdparLookups *lookups,
									  const Path *outer, double outer_rows);

/* Lower bound for a batch of rows, no matter where its pages are. */
extern Cost ssdpar_batch_least_cost(const SsdparJoinPrices *prices,
									double rows);

/*
 * Cost of all batches in which one process looks up outer_rows; *first is set
 * to that of the first batch.
 */
extern Cost ssdpar_batches_cost(SsdparLookups *lookups, const Path *outer,
								double outer_rows, Cost *first);

#endif							/* SSDPAR_JOIN_BATCHES_H */
