/*
 * flush_rule.c
 *		Whether somebody waits for the device to flush its cache, by how often
 *		it has done so.
 */
#include "prefetch/flush_rule.h"

#include <inttypes.h>
#include <stdio.h>

/* Numbers in the file before the two that are wanted (kernel: iostats.rst). */
#define NUMBERS_BEFORE "%*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %*u " \
	"%*u %*u %*u %*u "

bool
ssdpar_flushes_parse(const char *text, SsdparFlushes *flushes)
{
	return sscanf(text, NUMBERS_BEFORE "%" SCNu64 " %" SCNu64,
				  &flushes->count, &flushes->milliseconds) == 2 &&
		flushes->count > 0;
}

/* Flushes from one look to the next. */
typedef struct Since
{
	uint64_t	count;			/* 0: none, or not known */
	uint64_t	milliseconds;
} Since;

/*
 * Numbers that go back are another device's, or were summed up while they
 * changed.
 */
static Since
since(SsdparFlushes before, SsdparFlushes after)
{
	Since		found = {0};

	if (before.count == 0 || after.count <= before.count)
		return found;
	found.count = after.count - before.count;
	if (after.milliseconds > before.milliseconds)
		found.milliseconds = after.milliseconds - before.milliseconds;
	return found;
}

/* Are so many as close together as one who waits again and again has them? */
static bool
are_close(uint64_t count, uint64_t microseconds)
{
	return count > microseconds / SSDPAR_FLUSH_MOST_US;
}

/* Twice what one of these took. */
static uint64_t
hold_us(Since found)
{
	uint64_t	hold;

	if (found.milliseconds > UINT64_MAX / 2000)
		return SSDPAR_FLUSH_MOST_US;
	hold = found.milliseconds * 2000 / found.count;
	return hold < SSDPAR_FLUSH_MOST_US ? hold : SSDPAR_FLUSH_MOST_US;
}

SsdparFlushWait
ssdpar_flush_step(SsdparFlushWait wait, SsdparFlushes flushes, uint64_t now)
{
	Since		found = since(wait.flushes, flushes);
	SsdparFlushWait next = {
		.looked = now,
		.flushes = flushes,
		.until = wait.until,
	};
	uint64_t	until;

	if (found.count == 0 || !are_close(found.count, now - wait.looked))
		return next;
	until = now + 1 + hold_us(found);	/* the moment itself counts */
	if (until > wait.until)
		next.until = until;
	return next;
}
