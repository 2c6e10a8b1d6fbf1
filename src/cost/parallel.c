/*
 * parallel.c
 *		How core shares work among parallel workers.
 *
 * Prices that are to be comparable with core's must divide as core does.
 *
 * What core has no good price for is a row that a worker hands to the leader:
 * parallel_tuple_cost is ten times cpu_tuple_cost, which keeps plans serial
 * that gather a million rows.  Measured on the reference machine (both sides'
 * computing, 4.5 million rows): 0.26 us for a row of one column, 0.46 us for
 * one of five, where a unit of cost takes 10.7 us.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"

#include "cost/changed_settings.h"
#include "cost/parallel.h"

/* Handing over a row, in units of cpu_tuple_cost. */
#define HANDED_TUPLES 3.5

/* The user's parallel_tuple_cost while ours stands in its place, or < 0. */
static double users_tuple_cost = -1.0;

/* Core's get_parallel_divisor(), which is not exported. */
double
ssdpar_parallel_divisor(int workers)
{
	double		leader = 1.0 - 0.3 * workers;

	if (workers == 0)
		return 1.0;
	return parallel_leader_participation && leader > 0 ?
		workers + leader : workers;
}

void
ssdpar_tuple_cost_use(void)
{
	if (users_tuple_cost >= 0.0 ||
		parallel_tuple_cost != DEFAULT_PARALLEL_TUPLE_COST)
		return;
	ssdpar_settings_put_aside();
	users_tuple_cost = parallel_tuple_cost;
	parallel_tuple_cost = HANDED_TUPLES * cpu_tuple_cost;
}

void
ssdpar_tuple_cost_put_back(void)
{
	if (users_tuple_cost >= 0.0)
		parallel_tuple_cost = users_tuple_cost;
	users_tuple_cost = -1.0;
}

/* What the statement around has: its price, or < 0 for the user's. */
double
ssdpar_tuple_cost_begin(void)
{
	double		outer = users_tuple_cost >= 0.0 ? parallel_tuple_cost : -1.0;

	ssdpar_tuple_cost_put_back();
	return outer;
}

void
ssdpar_tuple_cost_end(double outer)
{
	ssdpar_tuple_cost_put_back();
	if (outer < 0.0)
		return;
	users_tuple_cost = parallel_tuple_cost;
	parallel_tuple_cost = outer;
}
