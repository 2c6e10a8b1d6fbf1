/*
 * filter_order.c
 *		Which of several filters of rows is asked first.
 */
#include "postgres.h"

#include "starscan/exec/filter_order.h"

/*
 * Rows after which the order is considered: some tens of pages, so that
 * considering it does not count.
 */
#define ROUND 4096

/* Rows that a filter must have tested for its fraction to be believed. */
#define ENOUGH_ROWS (ROUND / 16)

/*
 * A filter that drops less than this is not worth its time: it takes about a
 * tenth of the instructions that a join takes to find no match.
 */
#define USEFUL_FRACTION 0.1

/*
 * What a join takes to find no match, in the unit of a filter's cost, where it
 * waits for memory.  A filter that waits as well has to drop half of the rows.
 */
#define JOIN_COST (2.0 * SSDPAR_COST_MEMORY)

/* Rounds until it is tried again. */
#define PUT_OFF 32

void
ssdpar_filter_order_init(SsdparFilterOrder *order, int nfilters)
{
	order->filters = palloc0(Max(nfilters, 1) * sizeof(SsdparFilter *));
	order->all = palloc0(Max(nfilters, 1) * sizeof(SsdparFilter *));
	order->nfilters = 0;
	order->nall = 0;
	order->rows_left = 0;
}

void
ssdpar_filter_order_add(SsdparFilterOrder *order, SsdparFilter *filter)
{
	order->all[order->nall++] = filter;
}

/* Cost per row dropped, if rows are taken apart up to column already. */
static double
price(const SsdparFilter *filter, AttrNumber column)
{
	double		dropped = Max(1.0 - filter->kept, 1e-6);

	return (filter->cost + Max(filter->last_column - column, 0)) / dropped;
}

/* Does it drop what it takes? */
static bool
is_useful(const SsdparFilter *filter)
{
	return 1.0 - filter->kept >=
		Max(USEFUL_FRACTION, filter->cost / JOIN_COST);
}

/* Always the cheapest of those left goes next. */
static void
arrange(SsdparFilterOrder *order, AttrNumber column)
{
	order->nfilters = 0;
	for (int i = 0; i < order->nall; i++)
		order->all[i]->ordered = false;
	for (;;)
	{
		SsdparFilter *best = NULL;

		for (int i = 0; i < order->nall; i++)
		{
			SsdparFilter *filter = order->all[i];

			if (!filter->ordered && filter->put_off == 0 &&
				(best == NULL || price(filter, column) < price(best, column)))
				best = filter;
		}
		if (best == NULL)
			break;
		best->ordered = true;
		order->filters[order->nfilters++] = best;
		column = Max(column, best->last_column);
	}
}

static void
flush_count(SsdparFilter *filter)
{
	if (filter->count != NULL)
	{
		filter->count->rows += filter->rows;
		filter->count->dropped += filter->dropped;
	}
	filter->rows = 0;
	filter->dropped = 0;
}

void
ssdpar_filter_order_flush(SsdparFilterOrder *order)
{
	for (int i = 0; i < order->nall; i++)
		flush_count(order->all[i]);
}

/*
 * A filter that comes late has tested only what others have left, which is
 * what counts for it.
 */
static void
measure(SsdparFilter *filter)
{
	if (filter->put_off > 0)
		filter->put_off--;
	else if (filter->rows >= ENOUGH_ROWS)
	{
		filter->kept = 1.0 - (double) filter->dropped / filter->rows;
		if (!is_useful(filter))
			filter->put_off = PUT_OFF;
		flush_count(filter);
	}
}

void
ssdpar_filter_order_begin_round(SsdparFilterOrder *order, AttrNumber column)
{
	for (int i = 0; i < order->nall; i++)
		measure(order->all[i]);
	arrange(order, column);
	order->rows_left = ROUND;
}
