/*
 * ssdsim_events.c
 *		A heap with four children per node: half as deep as one with two, and a
 *		node's children are adjacent in memory.
 */
#include "ssdsim_events.h"

#include <assert.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "ssdsim_memory.h"

#define CHILDREN 4

void
ssdsim_events_free(SsdsimEvents *events)
{
	free(events->heap);
}

static bool
before(const SsdsimEvent *one, const SsdsimEvent *other)
{
	if (one->time != other->time)
		return one->time < other->time;
	return (int32_t) (one->turn - other->turn) < 0;
}

static void
make_room(SsdsimEvents *events)
{
	if (events->count < events->room)
		return;
	events->room = events->room == 0 ? 256 : events->room * 2;
	events->heap = ssdsim_enlarge(events->heap, (size_t) events->room,
								  sizeof(SsdsimEvent));
}

static void
give_up(void)
{
	fputs("ssdsim: the clock has come to 146 years, where it ends. Give fewer requests, or describe a device of shorter times.\n",
		  stderr);
	exit(1);
}

void
ssdsim_events_plan(SsdsimEvents *events, int64_t time, uint32_t what,
				   void *whom)
{
	SsdsimEvent event = {time, events->turns++, what, whom};
	int			at;

	assert(time >= events->now);
	if (time > SSDSIM_LAST)
		give_up();
	make_room(events);
	for (at = events->count++; at > 0; at = (at - 1) / CHILDREN)
	{
		SsdsimEvent *parent = &events->heap[(at - 1) / CHILDREN];

		if (!before(&event, parent))
			break;
		events->heap[at] = *parent;
	}
	events->heap[at] = event;
}

/* The first of a node's children; they end before COUNT. */
static int
first_child(const SsdsimEvent *heap, int node, int count)
{
	int			child = node * CHILDREN + 1;
	int			end = child + CHILDREN < count ? child + CHILDREN : count;
	int			first = child;

	while (++child < end)
		if (before(&heap[child], &heap[first]))
			first = child;
	return first;
}

SsdsimEvent
ssdsim_events_take(SsdsimEvents *events)
{
	SsdsimEvent *heap = events->heap;
	SsdsimEvent taken;
	SsdsimEvent last;
	int			at = 0;

	assert(events->count > 0);
	taken = heap[0];
	last = heap[--events->count];
	while (at * CHILDREN + 1 < events->count)
	{
		int			child = first_child(heap, at, events->count);

		if (!before(&heap[child], &last))
			break;
		heap[at] = heap[child];
		at = child;
	}
	heap[at] = last;
	events->now = taken.time;
	return taken;
}
