/*
 * cost.h
 *		Costs of an index join.
 */
#ifndef SSDPAR_JOIN_COST_H
#define SSDPAR_JOIN_COST_H

#include "cost/tablespace_model.h"
#include "index_join/plan/candidate.h"

/* Prices shared by all index joins of a candidate. */
typedef struct SsdparJoinPrices
{
	SsdparModel heap_model;
	double		matches;		/* rows of the inner table per key */
	Cost		filter_startup;
	Cost		filter;			/* per pair of rows */

	/* filled in by the first ssdpar_join_cost() */
	bool		has_reads;
	SsdparModel index_model;
	SsdparResidency heap_resident;
	SsdparResidency index_resident;
	double		ordered;		/* 0 to 1: is the table in the key's order? */
	double		leaves_ordered; /* 0 to 1: are the leaves, in the file? */
	double		outer_ordered;	/* 0 to 1: is the keys' own table? */
	double		runs;			/* of the query level; they share what they
								 * read */
	double		keys;			/* private to cost.c: distinct keys of all
								 * outer rows; 0: not computed yet */
	List	   *lookups;		/* private to cost.c: outer paths priced so
								 * far */
} SsdparJoinPrices;

typedef struct SsdparJoinCost
{
	Cost		startup;
	Cost		total;
} SsdparJoinCost;

/* Returns false if the cost model does not price the inner table. */
extern bool ssdpar_join_prices(const SsdparJoinCandidate *candidate,
							   SsdparJoinPrices *prices);

/* A lower bound for the cost, no matter what is in memory. */
extern SsdparJoinCost ssdpar_join_least(const SsdparJoinCandidate *candidate,
										const SsdparJoinPrices *prices,
										const Path *outer, double rows);

extern SsdparJoinCost ssdpar_join_cost(const SsdparJoinCandidate *candidate,
									   SsdparJoinPrices *prices,
									   const Path *outer, double rows);

#endif							/* SSDPAR_JOIN_COST_H */
