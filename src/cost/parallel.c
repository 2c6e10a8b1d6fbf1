/*
 * parallel.c
 *		Divides work among parallel workers as core does, and prices their
 *		rows.
 *
 * Prices that are compared with core's must use the same divisor.
 *
 * Core's price for passing a row from a worker to the leader is too high:
 * parallel_tuple_cost is ten times cpu_tuple_cost, so plans that gather a
 * million rows remain serial.  HANDED_TUPLES was measured on the reference
 * machine, including the CPU time of both processes.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"

#include "cost/changed_settings.h"
#include "cost/parallel.h"

/* Cost of passing a row to the leader, in units of cpu_tuple_cost. */
#define HANDED_TUPLES 3.5

/*
 * The user's parallel_tuple_cost while it is replaced by ours, else negative.
 */
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

/*
 * Returns the outer statement's price, or a negative value if it is the
 * user's.
 */
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
