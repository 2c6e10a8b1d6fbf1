/*
 * parallel.c
 *		How core shares work among parallel workers.
 *
 * Prices that are to be comparable with core's must divide as core does.
 */
#include "postgres.h"

#include "optimizer/optimizer.h"

#include "cost/parallel.h"

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
