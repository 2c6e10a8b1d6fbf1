/*
 * workers.c
 *		Converts a number of subqueries to a number of parallel workers,
 *		within the limits of the server's settings.
 *
 * max_parallel_workers_per_gather is not such a limit: it keeps core from
 * using too many CPUs, whereas subqueries mainly wait for the device.  Only 0
 * counts; it means no parallel queries.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"

#include "base/notes.h"
#include "base/settings.h"
#include "split/workers.h"

/*
 * The leader runs a share of the plan too, unless it only gathers
 * (parallel_leader_participation); then each subquery needs a worker.
 */
int
ssdpar_workers_for(int subqueries)
{
	return parallel_leader_participation ? subqueries - 1 : subqueries;
}

int
ssdpar_possible_subqueries(void)
{
	int			workers = Min(max_parallel_workers, max_worker_processes);

	return parallel_leader_participation ? workers + 1 : workers;
}

static void
tell_shortage(int wanted, int possible)
{
	int			workers = ssdpar_workers_for(wanted);
	bool		parallel = max_parallel_workers < workers;
	bool		processes = max_worker_processes < workers;

	if (!ssdpar_note_first_shortage())
		return;
	ereport(NOTICE,
			(errmsg("only %d of %d subqueries can run at once",
					possible, wanted),
			 parallel && processes ?
			 errhint("Raise max_parallel_workers (now %d) and max_worker_processes (now %d, changing it takes a restart) to at least %d, the latter with room for the server's other background workers.",
					 max_parallel_workers, max_worker_processes, workers) :
			 parallel ?
			 errhint("Raise max_parallel_workers (now %d) to at least %d.",
					 max_parallel_workers, workers) :
			 errhint("Raise max_worker_processes (now %d, changing it takes a restart) to at least %d, with room for the server's other background workers.",
					 max_worker_processes, workers)));
}

/*
 * Fewer subqueries than requested are better than none: the user is told, and
 * the query is split into as many as can run at once.
 */
int
ssdpar_limit_subqueries(int wanted)
{
	int			possible = ssdpar_possible_subqueries();

	if (wanted <= possible)
		return wanted;
	tell_shortage(wanted, possible);
	return possible;
}

void
ssdpar_tell_if_parallel_off(void)
{
	if (max_parallel_workers_per_gather > 0 || !ssdpar_note_first_shortage())
		return;
	ereport(NOTICE,
			(errmsg("the query cannot be split while max_parallel_workers_per_gather is 0"),
			 errhint("Raise max_parallel_workers_per_gather to at least 1; ssdpar.subqueries determines how many workers a split query uses.")));
}
