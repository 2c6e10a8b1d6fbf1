/*
 * ssdsim_load.c
 *		Closed loops.
 */
#include "ssdsim_load.h"

#include <stdlib.h>

#include "ssdsim_memory.h"
#include "ssdsim_random.h"

#define CHANCES (UINT64_C(1) << 53)

typedef struct LoopState
{
	const SsdsimLoop *loop;
	uint64_t	cursor[2];		/* where reads and writes go on */
} LoopState;

typedef struct LoadState
{
	const SsdsimLoad *load;
	uint64_t	random;
	uint64_t	issued;
} LoadState;

/* Chance, without a number drawn where there is no choice. */
static bool
happens(uint64_t *random, double share)
{
	if (share <= 0 || share >= 1)
		return share >= 1;
	return (double) ssdsim_random_below(random, CHANCES) <
		share * (double) CHANCES;
}

/* The whole requests that fit into a loop's space are where it may go. */
static void
choose(LoopState *state, uint64_t *random, SsdsimRequest *request)
{
	const SsdsimLoop *loop = state->loop;
	uint64_t	places = loop->length / loop->bytes;
	uint64_t	place;

	request->kind = happens(random, loop->read_share) ? SSDSIM_READ :
		SSDSIM_WRITE;
	if (happens(random, loop->random_share))
		place = ssdsim_random_below(random, places);
	else
		place = state->cursor[request->kind];
	state->cursor[request->kind] = place + 1 < places ? place + 1 : 0;
	request->address = loop->first + place * loop->bytes;
	request->bytes = loop->bytes;
}

static void
ask(SsdsimRun *run, SsdsimRequest *request, int64_t now)
{
	LoadState  *state = run->argument;

	if (state->issued == state->load->requests || now >= state->load->time)
		return;
	state->issued++;
	choose(request->owner, &state->random, request);
	ssdsim_run_submit(run, request, now);
}

void
ssdsim_load_run(const SsdsimLoad *load, SsdsimRun *run)
{
	LoadState	state = {.load = load, .random = ~load->seed};
	LoopState	loops[SSDSIM_MAX_LOOPS] = {0};
	SsdsimRequest *requests;
	SsdsimRequest *request;
	int64_t		depth = 0;

	for (int i = 0; i < load->nloops; i++)
		depth += load->loops[i].depth;
	requests = request = ssdsim_allocate((size_t) depth, sizeof(*requests));
	/* chances of its own, or it would write what ageing has written */
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
