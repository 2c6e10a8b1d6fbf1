/*
 * ssdsim_result.c
 *		Keeps count while an array runs, and prints it.
 */
#include "ssdsim_result.h"

#include <string.h>

static void
count(void *argument, SsdsimRequest *request, int64_t now)
{
	SsdsimRun  *run = argument;
	SsdsimResult *result = &run->result;

	run->outstanding--;
	result->requests++;
	result->bytes += request->bytes;
	result->time = now;
	ssdsim_histogram_add(&result->latency[request->kind],
						 now - request->arrived);
	if (run->next != NULL)
		run->next(run, request, now);
}

void
ssdsim_run_begin(SsdsimRun *run, const SsdsimSpec *spec,
				 const SsdsimPolicy *policy, uint64_t seed, double age)
{
	memset(run, 0, sizeof(*run));
	run->spec = *spec;
	run->array = ssdsim_array_new(spec, policy, seed, count, run);
	if (age >= 0)
	{
		ssdsim_array_fill(run->array);
		ssdsim_array_age(run->array, age);
	}
	/* what was written until here is no part of the result */
	ssdsim_array_count(run->array, &run->result.counts);
}

void
ssdsim_run_submit(SsdsimRun *run, SsdsimRequest *request, int64_t now)
{
	run->outstanding++;
	ssdsim_array_submit(run->array, request, now);
}

void
ssdsim_run_until(SsdsimRun *run, int64_t time)
{
	while (ssdsim_array_next(run->array) <= time)
		ssdsim_array_step(run->array);
}

void
ssdsim_run_end(SsdsimRun *run)
{
	SsdsimCounts before = run->result.counts;
	SsdsimCounts *counts = &run->result.counts;

	while (run->outstanding > 0)
		ssdsim_array_step(run->array);
	ssdsim_array_count(run->array, counts);
	counts->programmed -= before.programmed;
	counts->moved -= before.moved;
	counts->erased -= before.erased;
	ssdsim_array_free(run->array);
	run->array = NULL;
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
	print_latency(&result->latency[SSDSIM_READ], "read", file);
	print_latency(&result->latency[SSDSIM_WRITE], "write", file);
	print_latency(&result->latency[SSDSIM_TRIM], "trim", file);
	if (!run->spec.mechanical)
		print_flash(run, divisor, file);
}
