/*
 * filter_order.h
 *		Determines the order in which several row filters are applied.
 *
 * The best order depends on the data: the fraction that each filter drops is
 * measured over a round of rows, and after each round the filters are
 * reordered by cost per dropped row.  Columns are extracted from the row in
 * order, so the cost of a filter can depend on how many columns the previous
 * ones have extracted.
 *
 * A filter that drops next to nothing is omitted for some rounds and then
 * tried again.  The rows it would drop are dropped later, by the joins above
 * or by the node's qual.
 */
#ifndef SSDPAR_FILTER_ORDER_H
#define SSDPAR_FILTER_ORDER_H

#include "access/attnum.h"

#include "keys/key_set.h"
#include "starscan/exec/counters.h"

/* Costs, in units of extracting one column from a row. */
#define SSDPAR_COST_RANGE 1.0	/* compare with a minimum and a maximum */
#define SSDPAR_COST_BIT_MAP 2.0
#define SSDPAR_COST_HASH 5.0	/* a hash table or a Bloom filter */
#define SSDPAR_COST_MEMORY 40.0 /* for many keys: waits for memory */
#define SSDPAR_COST_HASHED_CODE 8.0 /* compute a code that differs from the
									 * value */

/* Cost of a lookup in such a set. */
static inline double
ssdpar_set_cost(const SsdparKeySet *set)
{
	if (set->kind == SSDPAR_KEYS_BIT_MAP)
		return SSDPAR_COST_BIT_MAP;
	return set->count > SSDPAR_MANY_CODES ? SSDPAR_COST_MEMORY :
		SSDPAR_COST_HASH;
}

/*
 * The first member of each filter; the code that runs it counts rows and
 * dropped.
 */
typedef struct SsdparFilter
{
	double		cost;			/* without extracting columns */
	AttrNumber	last_column;	/* columns must be extracted up to this one */
	double		kept;			/* fraction, first estimated, later measured */
	SsdparFilterCount *count;	/* for EXPLAIN, or NULL */
	uint32		rows;			/* since the last measurement */
	uint32		dropped;
	int			put_off;		/* remaining rounds without it */
	bool		ordered;		/* already placed; used by filter_order.c */
} SsdparFilter;

/* Invariant: filters contains those of all that are not put off. */
typedef struct SsdparFilterOrder
{
	int			nfilters;
	SsdparFilter **filters;		/* in the order of execution */
	int			nall;
	SsdparFilter **all;
	int			rows_left;		/* in this round */
} SsdparFilterOrder;

/* For at most nfilters filters, in the current memory context. */
extern void ssdpar_filter_order_init(SsdparFilterOrder *order, int nfilters);
extern void ssdpar_filter_order_add(SsdparFilterOrder *order,
									SsdparFilter *filter);

/*
 * Begins another round: uses the measurements, if there are any, and orders
 * the filters for rows whose columns up to column have been extracted already.
 */
extern void ssdpar_filter_order_begin_round(SsdparFilterOrder *order,
											AttrNumber column);

/* Adds the counts that EXPLAIN does not have yet. */
extern void ssdpar_filter_order_flush(SsdparFilterOrder *order);

#endif							/* SSDPAR_FILTER_ORDER_H */
