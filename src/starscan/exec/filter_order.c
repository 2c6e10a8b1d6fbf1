/*
 * filter_order.c
 *		Determines the order in which several row filters are applied.
 */
#include "postgres.h"

#include "starscan/exec/filter_order.h"

/*
 * The order is reconsidered after this number of rows, which are on some tens
 * of pages, so that the cost of doing so does not matter.
 */
#define ROUND 4096

/* Rows that a filter must have tested before its measured fraction is used. */
#define ENOUGH_ROWS (ROUND / 16)

/*
 * A filter that drops less than this does not pay off, because a filter takes
 * about a tenth of the instructions that a join needs to find no match.
 */
#define USEFUL_FRACTION 0.1

/*
 * Cost for a join to find no match when it waits for memory, in the unit of a
 * filter's cost.  A filter that waits as well must drop half of the rows.
 */
#define JOIN_COST (2.0 * SSDPAR_COST_MEMORY)

/* Rounds until a filter is tried again. */
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

/*
 * Cost per dropped row, if columns up to column have been extracted already.
 */
static double
price(const SsdparFilter *filter, AttrNumber column)
{
	double		dropped = Max(1.0 - filter->kept, 1e-6);

	return (filter->cost + Max(filter->last_column - column, 0)) / dropped;
}

/* Does it drop enough rows for its cost? */
static bool
is_useful(const SsdparFilter *filter)
{
	return 1.0 - filter->kept >=
		Max(USEFUL_FRACTION, filter->cost / JOIN_COST);
}

/* Repeatedly appends the cheapest of the remaining filters. */
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
 * A later filter has tested only rows that passed the earlier ones, which is
 * the fraction that matters for it.
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
