/*
 * inside_pairs.c
 *		Timing of pairs of reads, and writing, on a probed device.
 */
#include "inside_pairs.h"

#include <stdlib.h>

#include "plan.h"
#include "statistics.h"

int
ssdpar_probe_below(ProbeProbing *probing, int limit)
{
	return (int) (ssdpar_probe_random(&probing->random) % (uint64_t) limit);
}

void
ssdpar_probe_say(const ProbeProbing *probing, const char *stage, double share)
{
	if (probing->device->progress != NULL)
		probing->device->progress(probing->device->arg, stage, share);
}

/*
 * The higher address is always first, because neighbors in ascending order
 * would be a sequential stream, for which devices read ahead.
 */
static bool
time_pair(ProbeProbing *probing, const ProbePair *pair, uint32_t size,
		  double *time)
{
	bool		ascends = pair->first < pair->second;
	ProbeInsideRequest requests[PROBE_INSIDE_BATCH] = {
		{PROBE_READ, size, ascends ? pair->second : pair->first},
		{PROBE_READ, size, ascends ? pair->first : pair->second},
	};

	if (!probing->device->issue(probing->device->arg, requests,
								PROBE_INSIDE_BATCH, time))
		return false;
	probing->spent += *time;
	probing->pairs++;
	probing->bytes_read += (uint64_t) PROBE_INSIDE_BATCH * size;
	return true;
}

/*
 * Visits in rounds, each in a different order, so that a disturbance does not
 * affect all visits of one pair or those of its neighbors.  TIMES[pair *
 * VISITS + visit].
 */
static bool
visit_pairs(ProbeProbing *probing, const ProbePair *pairs, int count,
			uint32_t size, int visits, const char *stage, int *order,
			double *times)
{
	for (int visit = 0; visit < visits; visit++)
	{
		ssdpar_probe_shuffle(order, 0, count,
							 ssdpar_probe_random(&probing->random));
		for (int i = 0; i < count; i++)
		{
			if (!time_pair(probing, &pairs[order[i]], size,
						   &times[order[i] * visits + visit]))
				return false;
			ssdpar_probe_say(probing, stage,
							 ((double) visit + (double) i / count) / visits);
		}
	}
	return true;
}

bool
ssdpar_probe_time_pairs(ProbeProbing *probing, ProbePair *pairs, int count,
						uint32_t size, int visits, const char *stage)
{
	int		   *order = calloc((size_t) count, sizeof(int));
	double	   *times = calloc((size_t) count * (size_t) visits,
							   sizeof(double));
	bool		good = order != NULL && times != NULL &&
		visit_pairs(probing, pairs, count, size, visits, stage, order, times);

	for (int i = 0; good && i < count; i++)
		pairs[i].time = ssdpar_probe_median(&times[i * visits], visits);
	free(order);
	free(times);
	return good;
}

bool
ssdpar_probe_overwrite(ProbeProbing *probing, uint64_t offset, uint64_t bytes)
{
	while (bytes > 0)
	{
		uint32_t	size = bytes < PROBE_INSIDE_LARGEST ? (uint32_t) bytes
			: PROBE_INSIDE_LARGEST;
		ProbeInsideRequest request = {PROBE_WRITE, size, offset};
		double		time;

		if (!probing->device->issue(probing->device->arg, &request, 1, &time))
			return false;
		probing->spent += time;
		probing->bytes_written += size;
		offset += size;
		bytes -= size;
	}
	return true;
}
