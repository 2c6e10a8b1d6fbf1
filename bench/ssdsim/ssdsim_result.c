/*
 * ssdsim_result.c
 *		Counts while an array runs, and prints the result.
 */
#include "ssdsim_result.h"

#include <stdlib.h>
#include <string.h>

#include "ssdsim_memory.h"

/* Gives the device what the host's scheduler allows. */
static void
pump(SsdsimRun *run, int64_t now)
{
	SsdsimRequest *request;

	while (run->host != NULL &&
		   (request = ssdsim_host_next(run->host, now)) != NULL)
		ssdsim_array_submit(run->array, request, now);
}

static void
count(SsdsimRun *run, const SsdsimRequest *request, int64_t now)
{
	SsdsimResult *result = &run->result;

	run->outstanding--;
	result->requests++;
	result->bytes += request->bytes;
	result->time = now;
	result->waited += request->admitted - request->asked;
	ssdsim_histogram_add(&result->latency[request->kind],
						 now - request->asked);
	ssdsim_histogram_add(&result->all, now - request->asked);
}

static void
end_request(void *argument, SsdsimRequest *request, int64_t now)
{
	SsdsimRun  *run = argument;

	run->now = now;
	if (run->host != NULL)
		ssdsim_host_done(run->host, request, now);
	if (!request->probe)
	{
		count(run, request, now);
		if (run->next != NULL)
			run->next(run, request, now);
	}
	pump(run, now);
}

void
ssdsim_run_begin(SsdsimRun *run, const SsdsimSpec *spec,
				 const SsdsimPolicy *policy, uint64_t seed, double age)
{
	memset(run, 0, sizeof(*run));
	run->spec = *spec;
	run->array = ssdsim_array_new(spec, policy, seed, end_request, run);
	if (age >= 0)
	{
		ssdsim_array_fill(run->array);
		ssdsim_array_age(run->array, age);
	}
	/* earlier writes are not part of the result */
	ssdsim_array_count(run->array, &run->result.counts);
}

void
ssdsim_run_schedule(SsdsimRun *run, const SsdsimHostPolicy *policy,
					int64_t depth)
{
	run->host = ssdsim_allocate(1, sizeof(*run->host));
	ssdsim_host_init(run->host, policy, depth,
					 ssdsim_spec_capacity(&run->spec));
}

void
ssdsim_run_submit(SsdsimRun *run, SsdsimRequest *request, int64_t now)
{
	run->outstanding++;
	run->now = now;
	request->asked = now;
	request->probe = false;
	if (run->host == NULL)
		ssdsim_array_submit(run->array, request, now);
	else
	{
		ssdsim_host_add(run->host, request);
		pump(run, now);
	}
}

/* When the host's scheduler needs to act itself. */
static int64_t
host_next(const SsdsimRun *run)
{
	return run->host == NULL ? SSDSIM_NEVER :
		ssdsim_host_wake(run->host, run->now);
}

void
ssdsim_run_step(SsdsimRun *run)
{
	int64_t		wake = host_next(run);

	if (ssdsim_array_next(run->array) <= wake)
	{
		ssdsim_array_step(run->array);
		return;
	}
	run->now = wake;
	pump(run, wake);
}

void
ssdsim_run_until(SsdsimRun *run, int64_t time)
{
	while (ssdsim_array_next(run->array) <= time || host_next(run) <= time)
		ssdsim_run_step(run);
}

void
ssdsim_run_end(SsdsimRun *run)
{
	SsdsimCounts before = run->result.counts;
	SsdsimCounts *counts = &run->result.counts;

	while (run->outstanding > 0)
		ssdsim_run_step(run);
	ssdsim_array_count(run->array, counts);
	counts->programmed -= before.programmed;
	counts->moved -= before.moved;
	counts->erased -= before.erased;
	ssdsim_array_free(run->array);
	run->array = NULL;
	if (run->host != NULL)
	{
		run->result.zones_suspected = run->host->zones.alarms;
		run->result.zones_blocked = run->host->zones.blocks;
	}
	free(run->host);
	run->host = NULL;
}

static void
print_latency(const SsdsimHistogram *latency, const char *kind, FILE *file)
{
	static const struct
	{
		const char *name;
		double		share;
	}			shares[] = {
		{"p50", 0.5}, {"p90", 0.9}, {"p99", 0.99}, {"p999", 0.999}
	};

	if (latency->count == 0)
		return;
	fprintf(file, "%s_requests %llu\n", kind,
			(unsigned long long) latency->count);
	fprintf(file, "%s_mean_us %.3f\n", kind,
			latency->sum / (double) latency->count / 1e3);
	for (size_t i = 0; i < sizeof(shares) / sizeof(*shares); i++)
		fprintf(file, "%s_%s_us %.3f\n", kind, shares[i].name,
				(double) ssdsim_histogram_at(latency, shares[i].share) / 1e3);
	fprintf(file, "%s_max_us %.3f\n", kind, (double) latency->most / 1e3);
}

static void
print_count(FILE *file, const char *name, uint64_t value)
{
	fprintf(file, "%s %llu\n", name, (unsigned long long) value);
}

static void
print_flash(const SsdsimRun *run, double seconds, FILE *file)
{
	const SsdsimCounts *counts = &run->result.counts;
	double		devices = (double) run->spec.devices * seconds * 1e9;
	double		dies = devices * (double) ssdsim_spec_dies(&run->spec);
	double		channels = devices * (double) run->spec.channels;
	uint64_t	all = counts->programmed + counts->moved;

	fprintf(file, "die_idle_percent %.2f\n",
			100 - 100 * (double) counts->die_busy / dies);
	fprintf(file, "channel_idle_percent %.2f\n",
			100 - 100 * (double) counts->channel_busy / channels);
	fprintf(file, "contention_ms %.3f\n", (double) counts->contention / 1e6);
	fprintf(file, "queued_ms %.3f\n", (double) counts->queued / 1e6);
	print_count(file, "packed_operations", counts->packed);
	print_count(file, "pages_read_ahead", counts->read_ahead);
	print_count(file, "pages_read_ahead_used", counts->read_ahead_used);
	print_count(file, "pages_programmed", counts->programmed);
	print_count(file, "pages_moved", counts->moved);
	print_count(file, "blocks_erased", counts->erased);
	print_count(file, "foreground_steps", counts->foreground);
	print_count(file, "background_steps", counts->background);
	if (counts->programmed > 0)
		fprintf(file, "write_amplification %.4f\n",
				(double) all / (double) counts->programmed);
}

void
ssdsim_result_print(const SsdsimRun *run, FILE *file)
{
	const SsdsimResult *result = &run->result;
	double		seconds = (double) result->time / 1e9;
	double		divisor = seconds > 0 ? seconds : 1e-9;

	print_count(file, "requests", result->requests);
	fprintf(file, "seconds %.6f\n", seconds);
	fprintf(file, "bandwidth_mb_s %.3f\n",
			(double) result->bytes / 1e6 / divisor);
	fprintf(file, "iops %.1f\n", (double) result->requests / divisor);
	print_count(file, "late_requests", result->late);
	fprintf(file, "queue_wait_mean_us %.3f\n", (double) result->waited / 1e3 /
			(double) (result->requests > 0 ? result->requests : 1));
	print_latency(&result->all, "all", file);
	print_latency(&result->latency[SSDSIM_READ], "read", file);
	print_latency(&result->latency[SSDSIM_WRITE], "write", file);
	print_latency(&result->latency[SSDSIM_TRIM], "trim", file);
	print_latency(&result->latency[SSDSIM_FLUSH], "flush", file);
	if (result->zones_suspected > 0)
	{
		print_count(file, "zones_suspected", result->zones_suspected);
		print_count(file, "zones_blocked", result->zones_blocked);
	}
	if (!run->spec.mechanical)
		print_flash(run, divisor, file);
}
