/*
 * status.c
 *		The daemon's status report.
 */
#include "status.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void
ssdpard_status_fill(const SsdpardState *state, int sessions,
					SsdparWireStatus *status)
{
	const SsdpardTotals *totals = &state->totals;

	/* counted by the supervisor; anything but a number means none */
	const char *restarts = getenv("SSDPARD_RESTARTS");

	memset(status, 0, sizeof(*status));
	status->pid = (uint32_t) getpid();
	status->method = strcmp(state->reader->method->name, "threads") == 0 ?
		SSDPAR_WIRE_METHOD_THREADS : SSDPAR_WIRE_METHOD_RING;
	status->depth = ssdpard_scheduler_depth(state->scheduler);
	status->outstanding = ssdpard_scheduler_outstanding(state->scheduler);
	status->queued = ssdpard_scheduler_ranges(state->scheduler);
	status->sessions = (uint32_t) sessions;
	status->files = (uint32_t) state->files.open;
	if (restarts != NULL)
		status->restarts = (uint32_t) strtoul(restarts, NULL, 10);
	status->latency_p50_us = ssdpard_recent_quantile(&state->recent, 0.5);
	status->latency_p99_us = ssdpard_recent_quantile(&state->recent, 0.99);
	status->uptime_ms = (state->now - state->started) / 1000;

	status->served = totals->outcomes[SSDPARD_SERVED];
	status->cached = totals->outcomes[SSDPARD_CACHED];
	status->stale = totals->outcomes[SSDPARD_STALE];
	status->dropped = totals->outcomes[SSDPARD_DROPPED];
	status->bytes_read = totals->bytes_read;
	status->errors = totals->errors;
	status->short_reads = totals->short_reads;
	status->refused = totals->refused;
}
