/*
 * ssdemu_calendar.c
 *		Reservations of a resource that serves one thing at a time.
 *
 * Spans that touch are joined, so a busy resource is one or a few spans
 * however many requests are outstanding.  Should the array fill up all the
 * same, its first gap is given up: that gap is the nearest to the present and
 * so the least likely to be of use.
 */
#include "ssdemu_calendar.h"

#include <assert.h>
#include <string.h>

void
ssdemu_calendar_forget(SsdemuCalendar *calendar, int64_t now)
{
	int			past = 0;

	while (past < calendar->nspans && calendar->spans[past].end <= now)
		past++;
	calendar->nspans -= past;
	memmove(calendar->spans, calendar->spans + past,
			(size_t) calendar->nspans * sizeof(SsdemuSpan));
}

static void
remove_span(SsdemuCalendar *calendar, int at)
{
	calendar->nspans--;
	memmove(calendar->spans + at, calendar->spans + at + 1,
			(size_t) (calendar->nspans - at) * sizeof(SsdemuSpan));
}

static void
insert_span(SsdemuCalendar *calendar, int at, SsdemuSpan span)
{
	if (calendar->nspans == SSDEMU_CALENDAR_SPANS)
	{
		calendar->spans[1].start = calendar->spans[0].start;
		remove_span(calendar, 0);
		if (at == 1)			/* it lay in that very gap */
			return;
		if (at > 1)
			at--;
	}
	memmove(calendar->spans + at + 1, calendar->spans + at,
			(size_t) (calendar->nspans - at) * sizeof(SsdemuSpan));
	calendar->spans[at] = span;
	calendar->nspans++;
}

/* Place a span before span AT, joined with the neighbours it touches. */
static void
place(SsdemuCalendar *calendar, int at, SsdemuSpan span)
{
	SsdemuSpan *next = calendar->spans + at;
	int			joins_previous = at > 0 && next[-1].end == span.start;
	int			joins_next = at < calendar->nspans &&
		next->start == span.end;

	assert(at == 0 || next[-1].end <= span.start);
	assert(at == calendar->nspans || next->start >= span.end);
	if (joins_previous && joins_next)
	{
		next[-1].end = next->end;
		remove_span(calendar, at);
	}
	else if (joins_previous)
		next[-1].end = span.end;
	else if (joins_next)
		next->start = span.start;
	else
		insert_span(calendar, at, span);
}

int64_t
ssdemu_calendar_reserve(SsdemuCalendar *calendar, int64_t ready,
						int64_t duration)
{
	SsdemuSpan	span = {ready, ready + duration};
	int			at;

	if (duration == 0)
		return ready;
	for (at = 0; at < calendar->nspans; at++)
	{
		if (calendar->spans[at].start >= span.end)
			break;
		if (calendar->spans[at].end > span.start)
		{
			span.start = calendar->spans[at].end;
			span.end = span.start + duration;
		}
	}
	place(calendar, at, span);
	calendar->busy += duration;
	return span.end;
}

int64_t
ssdemu_calendar_end(const SsdemuCalendar *calendar)
{
	return calendar->nspans == 0 ? 0 :
		calendar->spans[calendar->nspans - 1].end;
}
