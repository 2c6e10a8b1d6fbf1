/*
 * cost.h
 *		What an index join costs.
 */
#ifndef SSDPAR_JOIN_COST_H
#define SSDPAR_JOIN_COST_H

#include "cost/tablespace_model.h"
#include "index_join/plan/candidate.h"

/* What all joins of a candidate have in common. */
typedef struct SsdparJoinPrices
{
	SsdparModel heap_model;
	double		matches;		/* rows of the inner table for a key */
	Cost		filter_startup;
	Cost		filter;			/* of a pair of rows */

	/* what only a whole price needs: from ssdpar_join_cost() on */
	bool		has_reads;
	SsdparModel index_model;
	SsdparResidency heap_resident;
	SsdparResidency index_resident;
	double		ordered;		/* 0 to 1: do they lie in the key's order? */
	double		leaves_ordered; /* 0 to 1: do the leaves, in the file? */
	double		outer_ordered;	/* 0 to 1: do the keys' own table's rows? */
	double		runs;			/* of the query level, that share what they
								 * read */
	double		keys;			/* cost.c's: distinct ones of any number of
								 * outer rows; 0: not asked yet */
	List	   *lookups;		/* cost.c's: of outer paths priced so far */
} SsdparJoinPrices;

typedef struct SsdparJoinCost
{
	Cost		startup;
	Cost		total;
} SsdparJoinCost;

/* False if the inner table is not priced by the cost model. */
extern bool ssdpar_join_prices(const SsdparJoinCandidate *candidate,
							   SsdparJoinPrices *prices);

/* Less than this it does not cost, whatever is in memory. */
extern SsdparJoinCost ssdpar_join_least(const SsdparJoinCandidate *candidate,
										const SsdparJoinPrices *prices,
										const Path *outer, double rows);

extern SsdparJoinCost ssdpar_join_cost(const SsdparJoinCandidate *candidate,
									   SsdparJoinPrices *prices,
									   const Path *outer, double rows);

#endif							/* SSDPAR_JOIN_COST_H */
