/*
 * predict.c
 *		Predicted I/O times of the ways to split a star query, from the device
 *		profile.
 *
 * An index join waits for one page at a time in each of its N processes, so
 * it keeps N requests outstanding (Chen et al. 2016, section 7.2) and needs
 *
 *		pages / iops(random, 8 kB, depth N) + N * PROCESS_START_SECONDS
 *
 * A hash join reads the whole fact, with the kernel reading ahead:
 *
 *		bytes / bandwidth(sequential, 256 kB, saturation depth)
 *
 * CPU time and cached pages are not counted here.  An index join takes more
 * of it for a page, so it must be predicted to be clearly faster.
 */
#include "postgres.h"

#include "cost/context.h"
#include "device/profile.h"
#include "planner/predict.h"
#include "utils/spccache.h"

/* Size of the kernel's reads when it reads ahead. */
#define SEQUENTIAL_REQUEST (256 * 1024)

/*
 * Starting a parallel worker and taking its result: 12 ms for one and 60 ms
 * for 15 on the reference machine (count(*) of ten rows, ssdpar.subqueries at
 * 2 and 16).
 */
#define PROCESS_START_SECONDS 0.004

/*
 * How many times faster an index join must be predicted to be.  Chosen by hand
 * after one noisy demo run (3 rounds, scale 1) in which Q3.3 and Q3.4, split at
 * 1.0, took a fifth longer; a stand-in for the CPU time not counted here.
 */
#define CLEARLY_FASTER 1.5

static double
index_join_seconds(const SsdparProfile *profile, double pages, int subqueries)
{
	double		reading = pages / ssdpar_profile_iops(profile, SSDPAR_RANDOM,
													  BLCKSZ, subqueries);

	return subqueries > 1 ?
		reading + subqueries * PROCESS_START_SECONDS : reading;
}

int
ssdpar_best_subqueries(RelOptInfo *fact, double pages, int max_subqueries)
{
	const SsdparProfile *profile = ssdpar_profile_get(fact->reltablespace);
	int			best = 1;

	if (profile == NULL)
		return 0;
	for (int n = 2; n <= max_subqueries; n++)
	{
		if (index_join_seconds(profile, pages, n) <
			index_join_seconds(profile, pages, best))
			best = n;
	}
	return best;
}

static bool
wins_by_page_costs(RelOptInfo *fact, double pages)
{
	double		random_cost;
	double		sequential_cost;

	get_tablespace_page_costs(fact->reltablespace, &random_cost,
							  &sequential_cost);
	return pages * random_cost < fact->pages * sequential_cost;
}

bool
ssdpar_index_join_wins(RelOptInfo *fact, double pages, int subqueries)
{
	const SsdparProfile *profile = ssdpar_profile_get(fact->reltablespace);
	double		scan_seconds;

	if (profile == NULL)
		return wins_by_page_costs(fact, pages);

	scan_seconds = (double) fact->pages * BLCKSZ /
		ssdpar_profile_bandwidth(profile, SSDPAR_SEQUENTIAL,
								 SEQUENTIAL_REQUEST,
								 ssdpar_profile_saturation_depth(profile));
	return index_join_seconds(profile, pages, subqueries) * CLEARLY_FASTER <
		scan_seconds;
}

bool
ssdpar_index_join_beats(RelOptInfo *fact, double pages, int subqueries,
						Path *scan)
{
	SsdparModel model;

	if (!ssdpar_model_get(fact->reltablespace, &model))
		return false;
	return index_join_seconds(model.profile, pages, subqueries) *
		CLEARLY_FASTER <
		scan->total_cost * model.machine->seconds_per_cost_unit;
}
