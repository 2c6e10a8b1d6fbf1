/*
 * ssdsim_arrivals.c
 *		Bursts of requests.  The time between two bursts is exponential, and
 *		the size of each is geometric.
 */
#include "ssdsim_arrivals.h"

#include <math.h>
#include <stdlib.h>

#include "ssdsim_memory.h"
#include "ssdsim_random.h"

/* If a device falls this far behind, further requests are late. */
#define MOST_OUTSTANDING 65536

typedef struct Arrivals
{
	const SsdsimLoad *load;
	SsdsimChooser chooser;
	uint64_t	random;
	uint64_t	left;			/* requests still to come */
	SsdsimRequestList unused;
} Arrivals;

/* Greater than 0 and less than 1. */
static double
chance(uint64_t *random)
{
	return ((double) (ssdsim_random(random) >> 11) + 0.5) /
		(double) (UINT64_C(1) << 53);
}

static void
give_back(SsdsimRun *run, SsdsimRequest *request, int64_t now)
{
	Arrivals   *arrivals = run->argument;

	(void) now;
	ssdsim_request_append(&arrivals->unused, request);
}

/* At least one, BURST on average. */
static uint64_t
burst_size(Arrivals *arrivals)
{
	double		end = 1 / arrivals->load->burst;
	uint64_t	size = 1;

	while (chance(&arrivals->random) > end)
		size++;
	return size < arrivals->left ? size : arrivals->left;
}

static void
submit_burst(Arrivals *arrivals, SsdsimRun *run, int64_t time)
{
	for (uint64_t size = burst_size(arrivals); size > 0; size--)
	{
		SsdsimRequest *request;

		while (arrivals->unused.first == NULL)
			ssdsim_run_step(run);
		if (run->now > time)
			run->result.late++;
		request = ssdsim_request_take(&arrivals->unused);
		ssdsim_choose(&arrivals->chooser, &arrivals->random, request);
		ssdsim_run_submit(run, request, run->now > time ? run->now : time);
		arrivals->left--;
	}
}

void
ssdsim_arrivals_run(const SsdsimLoad *load, SsdsimRun *run)
{
	Arrivals	arrivals = {
		.load = load, .chooser.loop = &load->loops[0], .random = ~load->seed,
		.left = load->requests
	};
	SsdsimRequest *requests = ssdsim_allocate(MOST_OUTSTANDING,
											  sizeof(*requests));
	double		time = 0;

	for (int i = 0; i < MOST_OUTSTANDING; i++)
		ssdsim_request_append(&arrivals.unused, &requests[i]);
	run->next = give_back;
	run->argument = &arrivals;
	while (arrivals.left > 0 && time < (double) load->time)
	{
		ssdsim_run_until(run, llround(time));
		submit_burst(&arrivals, run, llround(time));
		time += -log(chance(&arrivals.random)) * 1e9 * load->burst /
			load->rate;
	}
	ssdsim_run_end(run);
	free(requests);
}
