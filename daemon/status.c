/*
 * status.c
 *		What STATUS says.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "server.h"

/* As the supervisor says; anything but a number is none. */
static uint32_t
restarts(void)
{
	const char *text = getenv("SSDPARD_RESTARTS");

	return text == NULL ? 0 : (uint32_t) strtoul(text, NULL, 10);
}

void
ssdpard_fill_status(const SsdpardServer *server, SsdparStatus *status)
{
	*status = server->totals;
	status->pid = (uint32_t) getpid();
	status->method = strcmp(server->reader->method->name, "threads") == 0 ?
		SSDPAR_METHOD_THREADS : SSDPAR_METHOD_RING;
	status->depth = ssdpard_scheduler_depth(server->scheduler);
	status->in_flight = ssdpard_scheduler_in_flight(server->scheduler);
	status->queued = ssdpard_scheduler_ranges(server->scheduler);
	status->sessions = (uint32_t) server->nsessions;
	status->files = (uint32_t) server->files.open;
	status->restarts = restarts();
	status->latency_p50_us = ssdpard_recent_quantile(&server->recent, 0.5);
	status->latency_p99_us = ssdpard_recent_quantile(&server->recent, 0.99);
	status->uptime_ms = (server->now - server->started) / 1000;
}
