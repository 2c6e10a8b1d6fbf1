/*
 * predict.c
 *		Predicted I/O times of the ways to split a star query, from the device
 *		profile.
 *
 * An index join waits for one page at a time in each of its N processes, so
 * it keeps N requests outstanding (papers/000, section 7.2) and needs
 *
 *		pages / iops(random, 8 kB, depth N)
 *
 * A hash join reads the whole fact, with the kernel reading ahead:
 *
 *		bytes / bandwidth(sequential, 256 kB, saturation depth)
 *
 * CPU time and cached pages are not counted here.
 */
#include "postgres.h"

#include "device/profile.h"
#include "planner/predict.h"
#include "utils/spccache.h"

/* Size of the kernel's reads when it reads ahead. */
#define SEQUENTIAL_REQUEST (256 * 1024)

int
ssdpar_saturating_subqueries(RelOptInfo *fact)
{
	const SsdparProfile *profile = ssdpar_profile_get(fact->reltablespace);

	return profile ? ssdpar_profile_saturation_depth(profile) : 0;
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
	double		index_seconds;
	double		scan_seconds;

	if (profile == NULL)
		return wins_by_page_costs(fact, pages);

	index_seconds = pages / ssdpar_profile_iops(profile, SSDPAR_RANDOM,
												BLCKSZ, subqueries);
	scan_seconds = (double) fact->pages * BLCKSZ /
		ssdpar_profile_bandwidth(profile, SSDPAR_SEQUENTIAL,
								 SEQUENTIAL_REQUEST,
								 ssdpar_profile_saturation_depth(profile));
	return index_seconds < scan_seconds;
}
