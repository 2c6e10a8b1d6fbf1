/*
 * ssdsim_events.h
 *		Future events, in order of time; simultaneous ones are in the order in
 *		which they were planned.
 *
 * This is the only clock: time is that of the last event taken, and never goes
 * backward.
 */
#ifndef SSDSIM_EVENTS_H
#define SSDSIM_EVENTS_H

#include <stdint.h>

#define SSDSIM_NEVER INT64_MAX
#define SSDSIM_LAST (INT64_MAX / 2) /* 146 years: sums do not overflow */

typedef struct SsdsimEvent
{
	int64_t		time;			/* nanoseconds */
	uint32_t	turn;			/* among those of one time; may wrap around */
	uint32_t	what;			/* the owner's code for it */
	void	   *whom;
} SsdsimEvent;

typedef struct SsdsimEvents
{
	SsdsimEvent *heap;			/* each has up to four children */
	int			count;
	int			room;
	uint32_t	turns;
	int64_t		now;
} SsdsimEvents;

extern void ssdsim_events_free(SsdsimEvents *events);

/* Plans it for TIME, which is not before now; after the last one all ends. */
extern void ssdsim_events_plan(SsdsimEvents *events, int64_t time,
							   uint32_t what, void *whom);

/* Time of the next one, or SSDSIM_NEVER. */
static inline int64_t
ssdsim_events_next(const SsdsimEvents *events)
{
	return events->count == 0 ? SSDSIM_NEVER : events->heap[0].time;
}

/* Takes the next one, which must exist, and advances time to it. */
extern SsdsimEvent ssdsim_events_take(SsdsimEvents *events);

#endif							/* SSDSIM_EVENTS_H */
