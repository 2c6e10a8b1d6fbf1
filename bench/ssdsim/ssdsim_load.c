/*
 * ssdsim_load.c
 *		Closed loops.
 */
#include "ssdsim_load.h"

#include <stdlib.h>

#include "ssdsim_memory.h"
#include "ssdsim_random.h"

typedef struct LoadState
{
	const SsdsimLoad *load;
	uint64_t	random;
	uint64_t	issued;
} LoadState;

static void
ask(SsdsimRun *run, SsdsimRequest *request, int64_t now)
{
	LoadState  *state = run->argument;

	if (state->issued == state->load->requests || now >= state->load->time)
		return;
	state->issued++;
	ssdsim_choose(request->owner, &state->random, request);
	ssdsim_run_submit(run, request, now);
}

void
ssdsim_load_run(const SsdsimLoad *load, SsdsimRun *run)
{
	LoadState	state = {.load = load, .random = ~load->seed};
	SsdsimChooser loops[SSDSIM_MAX_LOOPS] = {0};
	SsdsimRequest *requests;
	SsdsimRequest *request;
	int64_t		depth = 0;

	for (int i = 0; i < load->nloops; i++)
		depth += load->loops[i].depth;
	requests = request = ssdsim_allocate((size_t) depth, sizeof(*requests));
	/* separate random numbers, or it would write what ageing has written */
	state.random = ssdsim_random(&state.random);
	run->next = ask;
	run->argument = &state;
	for (int i = 0; i < load->nloops; i++)
	{
		loops[i].loop = &load->loops[i];
		for (int64_t j = 0; j < load->loops[i].depth; j++, request++)
		{
			request->owner = &loops[i];
			ask(run, request, 0);
		}
	}
	ssdsim_run_end(run);
	free(requests);
}
