/*
 * row_work.c
 *		What sorting and grouping take, by what they do with each row.
 *
 * The numbers of operators are measured, on the reference machine with rows
 * that the caches hold (docs/internals/cost-model.md); an operator of the
 * planner's is 13 ns there.
 */
#include "cost/row_work.h"

#include <math.h>

#include "cost/model.h"

/* What a price must differ from core's by: a time, and a share of the cost. */
#define LEAST_SECONDS 10e-3
#define LEAST_SHARE 0.05

/* Of a sort: a row that is put in, and one that is more than a value. */
#define PUT_VALUE 2.0
#define PUT_ROW 8.0

/* Of a comparison.  Core takes all for two operators. */
#define INLINE 0.3				/* 4 ns: core has made sorts of its own of it */
#define CALLED 2.0
#define LOCALE 5.0				/* strcoll() of copies: 30 ns in C.UTF-8, 95
								 * in en_US */

/*
 * Of the first rows alone: looking at a row beside the last of them, and a
 * level of the heap that it takes its place in, beside comparing.
 */
#define LOOK_AT 2.6
#define LEVEL 1.0

/* Of rows that are the same so far: the next column is taken out of both. */
#define TIE 2.0

/* The beginning of a value is made once a row, and counted how often it is. */
#define ABBREVIATE 8.0

/*
 * Of a row that is looked up in a table of groups: hashing, finding, and
 * comparing with the group by an expression are five; core counts one.
 */
#define LOOK_UP 4.0

static double
log2_of(double count)
{
	return log2(fmax(count, 2.0));
}

static double
compare_operators(SsdparCompare compare)
{
	switch (compare)
	{
		case SSDPAR_COMPARE_INLINE:
		case SSDPAR_COMPARE_ABBREVIATED:
			return INLINE;
		case SSDPAR_COMPARE_CALLED:
			return CALLED;
		case SSDPAR_COMPARE_LOCALE:
			break;
	}
	return LOCALE;
}

/*
 * Quicksort halves until all rows of a part are the same, which it sees at
 * once: a row is compared as many times as the groups can be halved.
 */
static double
row_operators(const SsdparSortWork *work, double halvings, double by_first)
{
	double		operators = PUT_VALUE + (work->only_value ? 0.0 : PUT_ROW) +
		by_first * compare_operators(work->compare) +
		(halvings - by_first) * TIE;

	return work->compare == SSDPAR_COMPARE_ABBREVIATED ?
		operators + ABBREVIATE : operators;
}

/*
 * A row is visited when it is handed out, and when others are the same by what
 * lies beside it but may differ by the rest.  If nothing lies beside it, it is
 * in each comparison until a part is so small that the caches hold it.
 */
static double
row_visits(const SsdparMachine *machine, const SsdparSortWork *work,
		   double by_first)
{
	double		visits = 1.0;

	if (work->only_value)
		return 0.0;
	if (work->by_reference)
		visits += fmin(by_first, log2(fmax(work->bytes /
										   machine->cache_bytes, 1.0)));
	else if (work->more_columns ||
			 work->compare == SSDPAR_COMPARE_ABBREVIATED)
		visits += 1.0 - fmin(work->first_groups / work->rows, 1.0);
	return visits;
}

/*
 * Of rows in any order the n-th is among the first k by k / n.  A row that is
 * kept goes down the heap, past two at each level.
 */
static double
first_rows_seconds(const SsdparMachine *machine, const SsdparSortWork *work)
{
	double		compare = compare_operators(work->compare);
	double		entered = work->kept * (1.0 + log(work->rows / work->kept));
	double		operators = work->rows * (LOOK_AT + compare) +
		entered * log2_of(work->kept) * (LEVEL + 2.0 * compare);

	return operators * work->operator_seconds +
		(work->only_value ? 0.0 : 2.0 * entered) *
		ssdpar_model_access_seconds(machine, work->bytes);
}

double
ssdpar_sort_seconds(const SsdparMachine *machine, const SsdparSortWork *work)
{
	double		halvings = log2_of(fmin(work->groups, work->rows));
	double		by_first = fmin(log2_of(work->first_groups), halvings);

	if (work->rows < 2.0)
		return 0.0;
	if (work->kept > 0.0)
		return first_rows_seconds(machine, work);
	return work->rows *
		(row_operators(work, halvings, by_first) * work->operator_seconds +
		 row_visits(machine, work, by_first) *
		 ssdpar_model_access_seconds(machine, work->bytes));
}

/*
 * A row visits its bucket and its group.  A new group lies where the last one
 * does, but moves to another bucket when the table grows, and is visited when
 * it is handed out.  Buckets and groups lie in the same caches.
 */
SsdparGroupSeconds
ssdpar_group_seconds(const SsdparMachine *machine, const SsdparGroupWork *work)
{
	double		access = ssdpar_model_access_seconds(machine, work->bytes);
	double		states = work->has_states ? 1.0 : 0.0;
	SsdparGroupSeconds seconds;

	seconds.filling = work->rows *
		(LOOK_UP * work->operator_seconds + (2.0 + states) * access);
	seconds.giving = work->groups * (1.0 + states) * access;
	return seconds;
}

bool
ssdpar_price_matters(double units, double whole, double seconds_per_unit)
{
	return fabs(units) * seconds_per_unit >= LEAST_SECONDS &&
		fabs(units) >= LEAST_SHARE * whole;
}
