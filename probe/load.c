/*
 * load.c
 *		Keeps a number of requests outstanding and measures them.
 *
 * How long a point is measured, and in which order, is engine.c's business.
 *
 * A visit of a point goes through three phases:
 *
 *		RAMP ----> COUNT ----> DRAIN
 *
 * RAMP lasts until every first request has been replaced and a tenth of the
 * time has passed: the first requests meet an idle device.  COUNT counts what
 * completes.  DRAIN replaces nothing and waits for what is outstanding, so
 * that the next point finds the device idle and the buffers free.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "load.h"

#include <errno.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "plan.h"
#include "scratch.h"

#define POLL_NS 50000000		/* asked whether to go on: promised 100 ms */
#define PROGRESS_NS 100000000
#define FEWEST_COUNTED 8		/* completions that make a sample */

/* Where the next request goes, and how many are still to be sent. */
typedef struct Stream
{
	ProbeOperation operation;
	ProbePattern pattern;
	uint32_t size;
	uint64_t blocks; /* requests that fit into the file */
	uint64_t next;	 /* next block of a sequential stream */
} Stream;

uint64_t
ssdpar_probe_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t) now.tv_sec * 1000000000 + (uint64_t) now.tv_nsec;
}

static bool
may_go_on(ProbeRun *run, uint64_t now, const char *stage, double share)
{
	const ProbeCallbacks *callbacks = run->callbacks;

	if (now < run->next_poll)
		return true;
	run->next_poll = now + POLL_NS;
	if (callbacks != NULL && callbacks->keep_going != NULL &&
		!callbacks->keep_going(callbacks->arg))
	{
		ssdpar_probe_error(run->error, PROBE_CANCELLED,
						   "the measurement was cancelled");
		ssdpar_probe_detail(run->error, "Nothing is kept.");
		return false;
	}
	if (callbacks != NULL && callbacks->progress != NULL &&
		now >= run->next_progress)
	{
		run->next_progress = now + PROGRESS_NS;
		callbacks->progress(callbacks->arg, stage, share);
	}
	return true;
}

static uint64_t
next_offset(ProbeRun *run, Stream *stream)
{
	uint64_t block;

	if (stream->pattern == PROBE_RANDOM)
		block = ssdpar_probe_random(&run->random_state) % stream->blocks;
	else
	{
		block = stream->next;
		stream->next = (block + 1) % stream->blocks;
	}
	return block * stream->size;
}

static void
send_next(ProbeRun *run, Stream *stream, int slot, uint64_t now)
{
	run->submitted[slot] = now;
	ssdpar_probe_ring_queue(&run->ring, stream->operation, slot, stream->size,
							next_offset(run, stream));
}

static void
explain_short(ProbeRun *run, const Stream *stream, int result)
{
	ssdpar_probe_error(run->error, PROBE_IO_FAILED,
					   "a %s of %u bytes in \"%s\" transferred only %d bytes",
					   ssdpar_probe_operation_name(stream->operation),
					   stream->size, run->directory, result);
	ssdpar_probe_detail(run->error, "The file system or device did not serve "
						"a whole request inside the scratch file.");
	ssdpar_probe_hint(run->error, "Look into the kernel's log (dmesg) for "
					  "errors of this device.");
}

static void
explain_failure(ProbeRun *run, const Stream *stream, int errnum)
{
	if (errnum == ENOSPC || errnum == EDQUOT)
	{
		ssdpar_probe_scratch_full(run->directory, run->file_size, run->error);
		return;
	}
	ssdpar_probe_error(run->error,
					   errnum == EINVAL ? PROBE_NOT_SUPPORTED
										: PROBE_IO_FAILED,
					   "a %s of %u bytes in \"%s\" failed: %s",
					   ssdpar_probe_operation_name(stream->operation),
					   stream->size, run->directory, strerror(errnum));
	if (errnum == EINVAL)
	{
		ssdpar_probe_detail(run->error, "The file system does not take direct "
							"I/O of this size.");
		ssdpar_probe_hint(run->error, "Measure larger request sizes, or give "
						  "a directory on another file system.");
		return;
	}
	ssdpar_probe_detail(run->error, "The device or its driver reported an "
						"error: data on it may be in danger.");
	ssdpar_probe_hint(run->error, "Look into the kernel's log (dmesg) and "
					  "check the device's health before relying on it.");
}

/* Judges one completion. */
static bool
check_completion(ProbeRun *run, const Stream *stream, int result)
{
	if (result == (int) stream->size)
		return true;
	if (result < 0)
		explain_failure(run, stream, -result);
	else
		explain_short(run, stream, result);
	return false;
}

static bool
check_deadline(ProbeRun *run, uint64_t now, const char *doing)
{
	if (now <= run->deadline)
		return true;
	ssdpar_probe_error(run->error, PROBE_TOO_SLOW,
					   "the device under \"%s\" is too slow: %s took longer "
					   "than its share of the time",
					   run->directory, doing);
	ssdpar_probe_detail(run->error, "It was stopped after %.0f seconds.",
						(double) (now - run->start) / 1e9);
	ssdpar_probe_hint(run->error, "Allow more seconds, or ask for a smaller "
					  "scratch file or fewer sizes and depths.");
	return false;
}

static void
fill_randomly(ProbeRun *run, int slot)
{
	uint64_t *words = (uint64_t *) ssdpar_probe_ring_buffer(&run->ring, slot);

	for (size_t i = 0; i < PROBE_FILL_SIZE / sizeof(uint64_t); i++)
		words[i] = ssdpar_probe_random(&run->random_state);
}

static bool
flush_file(ProbeRun *run)
{
	if (fdatasync(run->ring.fd) == 0)
		return true;
	ssdpar_probe_error(run->error, PROBE_IO_FAILED,
					   "could not flush the scratch file in \"%s\": %s",
					   run->directory, strerror(errno));
	ssdpar_probe_detail(run->error, "The device did not confirm what was "
						"written.");
	ssdpar_probe_hint(run->error, "Look into the kernel's log (dmesg) for "
					  "errors of this device.");
	return false;
}

static bool
take_written(ProbeRun *run, const Stream *stream, uint64_t *sent)
{
	ProbeCompletion done;

	while (ssdpar_probe_ring_take(&run->ring, &done))
	{
		if (!check_completion(run, stream, done.result))
			return false;
		if (*sent >= stream->blocks)
			continue;
		fill_randomly(run, done.slot);
		send_next(run, (Stream *) stream, done.slot, 0);
		(*sent)++;
	}
	return true;
}

static bool
write_all(ProbeRun *run, Stream *stream)
{
	uint64_t sent = 0;

	for (int slot = 0; slot < PROBE_FILL_DEPTH && sent < stream->blocks;
		 slot++, sent++)
	{
		fill_randomly(run, slot);
		send_next(run, stream, slot, 0);
	}
	while (run->ring.busy > 0)
	{
		uint64_t now;

		if (!ssdpar_probe_ring_wait(&run->ring, run->error) ||
			!take_written(run, stream, &sent))
			return false;
		now = ssdpar_probe_now();
		if (!may_go_on(run, now, "writing the scratch file",
					   (double) sent / (double) stream->blocks) ||
			!check_deadline(run, now, "writing the scratch file"))
			return false;
	}
	return true;
}

bool
ssdpar_probe_fill(ProbeRun *run)
{
	Stream stream = {
		.operation = PROBE_WRITE,
		.pattern = PROBE_SEQUENTIAL,
		.size = PROBE_FILL_SIZE,
		.blocks = run->file_size / PROBE_FILL_SIZE,
	};
	bool good = write_all(run, &stream);

	ssdpar_probe_ring_drain(&run->ring);
	return good && flush_file(run);
}

/* The state of one visit. */
typedef struct Visit
{
	Stream stream;
	uint64_t begin;
	uint64_t duration;
	uint64_t completed;
	uint64_t count_from; /* 0 while in RAMP */
	uint64_t counted;
} Visit;

static bool
take_measured(ProbeRun *run, Visit *visit, uint64_t now)
{
	ProbeCompletion done;

	while (ssdpar_probe_ring_take(&run->ring, &done))
	{
		if (!check_completion(run, &visit->stream, done.result))
			return false;
		visit->completed++;
		if (visit->count_from != 0)
		{
			visit->counted++;
			ssdpar_probe_histogram_add(&run->histogram,
									   now - run->submitted[done.slot]);
		}
		send_next(run, &visit->stream, done.slot, now);
	}
	return true;
}

/* Moves RAMP to COUNT; true when COUNT is over. */
static bool
is_over(Visit *visit, int depth, uint64_t now)
{
	if (visit->count_from == 0)
	{
		if (visit->completed >= (uint64_t) depth &&
			now - visit->begin >= visit->duration / 10)
			visit->count_from = now;
		return false;
	}
	return now - visit->begin >= visit->duration &&
		visit->counted >= FEWEST_COUNTED &&
		visit->counted >= (uint64_t) depth;
}

static bool
keep_outstanding(ProbeRun *run, Visit *visit, int depth, double share,
				 uint64_t *count_to)
{
	for (int slot = 0; slot < depth; slot++)
		send_next(run, &visit->stream, slot, visit->begin);
	for (;;)
	{
		uint64_t now;

		if (!ssdpar_probe_ring_wait(&run->ring, run->error))
			return false;
		now = ssdpar_probe_now();
		if (!take_measured(run, visit, now) ||
			!may_go_on(run, now, "measuring", share) ||
			!check_deadline(run, now, "measuring"))
			return false;
		if (is_over(visit, depth, now))
		{
			*count_to = now;
			return true;
		}
	}
}

static void
start_stream(ProbeRun *run, const ProbePoint *point, Stream *stream)
{
	stream->operation = point->operation;
	stream->pattern = point->pattern;
	stream->size = point->request_size;
	stream->blocks = run->file_size / point->request_size;
	stream->next = ssdpar_probe_random(&run->random_state) % stream->blocks;
}

bool
ssdpar_probe_measure(ProbeRun *run, const ProbePoint *point, uint64_t duration,
					 double share, ProbeSample *sample)
{
	Visit visit = {.begin = ssdpar_probe_now(), .duration = duration};
	uint64_t count_to = 0;
	bool good;

	start_stream(run, point, &visit.stream);
	ssdpar_probe_histogram_reset(&run->histogram);
	good = keep_outstanding(run, &visit, point->queue_depth, share, &count_to);
	ssdpar_probe_ring_drain(&run->ring);
	if (!good)
		return false;

	sample->iops = (double) visit.counted * 1e9 /
		(double) (count_to - visit.count_from);
	sample->latency_p50 =
		ssdpar_probe_histogram_quantile(&run->histogram, 0.50) / 1e3;
	sample->latency_p99 =
		ssdpar_probe_histogram_quantile(&run->histogram, 0.99) / 1e3;
	return true;
}
