/*
 * filter_order.h
 *		Which of several filters of rows is asked first.
 *
 * What is best tested first depends on the data: the fraction that a filter
 * drops is measured over a round of rows, and after each round the filters are
 * ordered anew by cost per row dropped.  Columns may lie in the row one after
 * another, so what a filter costs can depend on how far the ones before have
 * come.
 *
 * A filter that drops next to nothing is put off for some rounds, then tried
 * again: what it would drop is dropped later, by the joins above or by the
 * node's own filter.
 */
#ifndef SSDPAR_FILTER_ORDER_H
#define SSDPAR_FILTER_ORDER_H

#include "access/attnum.h"

#include "keys/key_set.h"
#include "starscan/exec/counters.h"

/* Costs, the unit being to take one column out of a row (about 2 ns). */
#define SSDPAR_COST_RANGE 1.0	/* compared with a least and a greatest */
#define SSDPAR_COST_BIT_MAP 2.0
#define SSDPAR_COST_HASH 5.0	/* a hash table or a Bloom filter */
#define SSDPAR_COST_MEMORY 40.0 /* of many keys: waits for memory */
#define SSDPAR_COST_HASHED_CODE 8.0 /* to compute a code that is no value */

/* What asking such a set costs. */
static inline double
ssdpar_set_cost(const SsdparKeySet *set)
{
	if (set->kind == SSDPAR_KEYS_BIT_MAP)
		return SSDPAR_COST_BIT_MAP;
	return set->count > SSDPAR_MANY_CODES ? SSDPAR_COST_MEMORY :
		SSDPAR_COST_HASH;
}

/* The first member of a filter; who runs it counts rows and dropped. */
typedef struct SsdparFilter
{
	double		cost;			/* without taking out columns */
	AttrNumber	last_column;	/* how far it needs the row taken apart */
	double		kept;			/* fraction, estimated, later measured */
	SsdparFilterCount *count;	/* for EXPLAIN, or NULL */
	uint32		rows;			/* since it was measured last */
	uint32		dropped;
	int			put_off;		/* rounds left without it */
	bool		ordered;		/* has its place; for filter_order.c */
} SsdparFilter;

/* Invariant: filters are those of all that are not put off. */
typedef struct SsdparFilterOrder
{
	int			nfilters;
	SsdparFilter **filters;		/* that are run, the best first */
	int			nall;
	SsdparFilter **all;
	int			rows_left;		/* of this round */
} SsdparFilterOrder;

/* For at most so many filters, in the current memory context. */
extern void ssdpar_filter_order_init(SsdparFilterOrder *order, int nfilters);
extern void ssdpar_filter_order_add(SsdparFilterOrder *order,
									SsdparFilter *filter);

/*
 * Begin another round: take over what was measured, if anything was, and order
 * the filters, of rows that are taken apart up to column already.
 */
extern void ssdpar_filter_order_begin_round(SsdparFilterOrder *order,
											AttrNumber column);

/* Add what EXPLAIN has not been told yet. */
extern void ssdpar_filter_order_flush(SsdparFilterOrder *order);

#endif							/* SSDPAR_FILTER_ORDER_H */
