/*
 * ssdsim_replay.c
 *		Replays a trace by its times, or with a fixed number of requests at a
 *		time.
 */
#include "ssdsim_replay.h"

#include <stdlib.h>

#include "ssdsim_memory.h"

/* If a device falls this far behind, further requests are late. */
#define MOST_OUTSTANDING 65536

/* Requests that are not outstanding are unused. */
static void
after_request(SsdsimRun *run, SsdsimRequest *request, int64_t now)
{
	(void) now;
	ssdsim_request_append(run->argument, request);
}

/* Lets the device work until one of its requests is complete. */
static int64_t
wait_for_place(const SsdsimRequestList *unused, SsdsimRun *run)
{
	int64_t		now = 0;

	while (unused->first == NULL)
	{
		ssdsim_run_step(run);
		now = run->now;
	}
	return now;
}

static void
run_all(SsdsimTrace *trace, SsdsimRequestList *unused, int64_t depth,
		SsdsimRun *run)
{
	SsdsimRequest request = {0};
	SsdsimTraceLine line;
	int64_t		now = 0;

	while ((line = ssdsim_trace_next(trace, &request)) != SSDSIM_TRACE_END)
	{
		SsdsimRequest *place;
		int64_t		free;

		if (line == SSDSIM_TRACE_MARK)
			continue;
		free = wait_for_place(unused, run);
		now = free > now ? free : now;
		if (depth == 0 && trace->time >= now)
		{
			ssdsim_run_until(run, trace->time);
			now = trace->time;
		}
		else if (depth == 0)
			run->result.late++;
		place = ssdsim_request_take(unused);
		*place = request;
		ssdsim_run_submit(run, place, now);
	}
}

bool
ssdsim_replay(SsdsimTrace *trace, int64_t depth, SsdsimRun *run)
{
	size_t		places = depth > 0 ? (size_t) depth : MOST_OUTSTANDING;
	SsdsimRequest *all = ssdsim_allocate(places, sizeof(*all));
	SsdsimRequestList unused = {NULL, NULL};

	for (size_t i = 0; i < places; i++)
		ssdsim_request_append(&unused, &all[i]);
	run->next = after_request;
	run->argument = &unused;
	run_all(trace, &unused, depth, run);
	ssdsim_run_end(run);
	if (!trace->failed && run->result.requests == 0)
		ssdsim_trace_fail(trace, "the file ends without a request.");
	free(all);
	return !trace->failed;
}
