/*
 * flush_rule.c
 *		Decides from the rate of device flushes whether a writer is waiting
 *		for them.
 */
#include "prefetch/flush_rule.h"

#include <inttypes.h>
#include <stdio.h>

/* Fields in the file before the two of interest (kernel: iostats.rst). */
#define NUMBERS_BEFORE "%*u %*u %*u %*u %*u %*u %*u %*u %*u %*u %*u " \
	"%*u %*u %*u %*u "

bool
ssdpar_flushes_parse(const char *text, SsdparFlushes *flushes)
{
	return sscanf(text, NUMBERS_BEFORE "%" SCNu64 " %" SCNu64,
				  &flushes->count, &flushes->milliseconds) == 2 &&
		flushes->count > 0;
}

/* Flushes between two looks. */
typedef struct Since
{
	uint64_t	count;			/* 0: none, or unknown */
	uint64_t	milliseconds;
} Since;

/*
 * Decreasing numbers belong to another device, or were summed while changing.
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

/*
 * Are the flushes as frequent as those of a process that writes synchronously
 * again and again?
 */
static bool
are_close(uint64_t count, uint64_t microseconds)
{
	return count > microseconds / SSDPAR_FLUSH_MOST_US;
}

/* Twice the time of one of these flushes. */
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
	until = now + 1 + hold_us(found);	/* until is exclusive */
	if (until > wait.until)
		next.until = until;
	return next;
}
