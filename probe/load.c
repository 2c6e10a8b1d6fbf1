/*
 * load.c
 *		Keeps a number of requests outstanding and measures them.
 *
 * engine.c decides how long a point is measured, and in which order.
 *
 * A visit of a point has three phases:
 *
 *		RAMP ----> COUNT ----> DRAIN
 *
 * RAMP lasts until every initial request has been replaced and a tenth of the
 * time has passed, because the first requests encounter an idle device.  COUNT
 * counts completions.  DRAIN replaces nothing and waits for outstanding
 * requests, so that the next point starts with an idle device and free
 * buffers.
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

/*
 * probe.h promises to call keep_going() every 100 ms; a tick takes up to 50.
 */
#define POLL_NS 50000000
#define PROGRESS_NS 100000000

/* A median of fewer completions is meaningless, even on a slow device. */
#define MIN_COUNTED 8

/* Where the next request goes, and how many are still to be sent. */
typedef struct Stream
{
	ProbeOperation operation;
	ProbePattern pattern;
	uint32_t	size;
	uint64_t	blocks;			/* requests that fit into the file */
	uint64_t	next;			/* next block of a sequential stream */
	uint64_t	part;			/* blocks per slot; 0: a single stream */
	uint64_t	places[PROBE_MAX_STREAMS];	/* next block in each slot's part */
} Stream;

/*
 * CLOCK_REALTIME is not used because NTP may set it back during a request.
 * Through the vDSO this takes tens of nanoseconds, which is negligible for a
 * device that answers in microseconds.
 */
uint64_t
ssdpar_probe_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t) now.tv_sec * 1000000000 + (uint64_t) now.tv_nsec;
}

/*
 * Calls the engine's caller.  Returns false if that wants to stop, or if the
 * scratch file takes space that others need.  Not done for each completion,
 * because a backend checks for interrupts and a terminal program prints, which
 * takes longer than the measured request.
 */
bool
ssdpar_probe_may_go_on(ProbeRun *run, uint64_t now, const char *stage,
					   double share)
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
	if (!ssdpar_probe_scratch_leaves_room(run->directory, run->file_size,
										  run->room, run->error))
		return false;
	if (callbacks != NULL && callbacks->progress != NULL &&
		now >= run->next_progress)
	{
		run->next_progress = now + PROGRESS_NS;
		callbacks->progress(callbacks->arg, stage, share);
	}
	return true;
}

/*
 * Random offsets repeat, like those of an index scan; the modulo's bias is
 * below 2^-40 for the largest file.  A sequential stream wraps around at the
 * end of the file; each of several streams does so at the end of its part.
 */
static uint64_t
next_block(ProbeRun *run, Stream *stream, int slot)
{
	uint64_t	block;

	switch (stream->pattern)
	{
		case PROBE_RANDOM:
			return ssdpar_probe_random(&run->random_state) % stream->blocks;
		case PROBE_STREAMS:
			block = (uint64_t) slot * stream->part + stream->places[slot];
			stream->places[slot] = (stream->places[slot] + 1) % stream->part;
			return block;
		case PROBE_SEQUENTIAL:
			break;
	}
	block = stream->next;
	stream->next = (block + 1) % stream->blocks;
	return block;
}

static void
send_next(ProbeRun *run, Stream *stream, int slot, uint64_t now)
{
	uint64_t	block = next_block(run, stream, slot);

	run->submitted[slot] = now;
	ssdpar_probe_ring_queue(&run->ring, stream->operation, slot, stream->size,
							block * stream->size);
}

/*
 * A run with one failed request has no result, because its time is not the
 * device's.  A short transfer is an error, too: regular files have them only
 * at their end, and no request extends beyond it.
 */
bool
ssdpar_probe_check_completion(ProbeRun *run, ProbeOperation kind,
							  uint32_t size, int result)
{
	const char *operation = ssdpar_probe_operation_name(kind);
	int			errnum = result < 0 ? -result : 0;

	if (result == (int) size)
		return true;
	if (errnum == 0)
	{
		ssdpar_probe_error(run->error, PROBE_IO_FAILED,
						   "a %s of %u bytes in \"%s\" transferred only %d "
						   "bytes", operation, size, run->directory, result);
		ssdpar_probe_detail(run->error, "The file system or device did not "
							"serve a whole request inside the scratch file.");
		ssdpar_probe_hint(run->error, "Look into the kernel's log (dmesg) for "
						  "errors of this device.");
		return false;
	}
	if (errnum == ENOSPC || errnum == EDQUOT)
	{
		/*
		 * fallocate is not supported everywhere, so it may be detected this
		 * late
		 */
		ssdpar_probe_scratch_full(run->directory, run->file_size, run->error);
		return false;
	}
	ssdpar_probe_error(run->error,
					   errnum == EINVAL ? PROBE_NOT_SUPPORTED
					   : PROBE_IO_FAILED,
					   "a %s of %u bytes in \"%s\" failed: %s", operation,
					   size, run->directory, strerror(errnum));
	if (errnum == EINVAL)
	{
		ssdpar_probe_detail(run->error, "The file system does not take direct "
							"I/O of this size.");
		ssdpar_probe_hint(run->error, "Measure larger request sizes, or give "
						  "a directory on another file system.");
		return false;
	}
	if (errnum == EROFS || errnum == ENOTCONN || errnum == ESTALE ||
		errnum == ENODEV)
	{
		ssdpar_probe_detail(run->error, "The file system has changed while it "
							"was measured: it takes no writes any more, or "
							"is gone.");
		ssdpar_probe_hint(run->error, "See that it is mounted, and look into "
						  "the kernel's log (dmesg) for why. Then measure "
						  "again.");
		return false;
	}
	ssdpar_probe_detail(run->error, "The device or its driver reported an "
						"error: data on it may be in danger.");
	ssdpar_probe_hint(run->error, "Look into the kernel's log (dmesg) and "
					  "check the device's health before relying on it.");
	return false;
}

/*
 * A device that hangs must not block a backend, which has locks.  The ring's
 * tick ends each wait, so this is checked even if no request ever completes.
 */
bool
ssdpar_probe_check_deadline(ProbeRun *run, uint64_t now, const char *doing)
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

/*
 * Ends a phase whose success was GOOD.  Also needed after an error, because
 * the kernel may still use the buffers, which are about to be reused or
 * unmapped.  The result is invalid if the device has hung since; an earlier
 * error takes precedence.
 */
static bool
drain(ProbeRun *run, bool good)
{
	if (ssdpar_probe_ring_drain(&run->ring))
		return good;
	if (!good)
		return false;
	ssdpar_probe_error(run->error, PROBE_TOO_SLOW,
					   "the device under \"%s\" hangs: %d requests did not "
					   "end", run->directory, run->ring.busy);
	ssdpar_probe_detail(run->error, "It completed nothing for 10 seconds.");
	ssdpar_probe_hint(run->error, "Look into the kernel's log (dmesg) and "
					  "check the device's health before relying on it.");
	return false;
}

/*
 * Fills the buffer with incompressible data that never repeats.  Some
 * controllers compress, some storage deduplicates, and reads of zeros may be
 * answered from a map without accessing the flash.  Profiles would then not
 * apply to tables.
 */
void
ssdpar_probe_fill_buffer(ProbeRun *run, int slot, uint32_t size)
{
	uint64_t   *words = (uint64_t *) ssdpar_probe_ring_buffer(&run->ring, slot);

	for (size_t i = 0; i < size / sizeof(uint64_t); i++)
		words[i] = ssdpar_probe_random(&run->random_state);
}

/*
 * Writes the whole file once, from beginning to end.  A slot whose write has
 * completed gets new contents and takes the next block.  When no block is
 * left, slots remain idle, and the last completion ends the loop.
 */
static bool
write_all(ProbeRun *run, Stream *stream)
{
	uint64_t	sent = 0;
	ProbeCompletion done;

	for (int slot = 0; slot < PROBE_FILL_DEPTH && sent < stream->blocks;
		 slot++, sent++)
	{
		ssdpar_probe_fill_buffer(run, slot, PROBE_FILL_SIZE);
		send_next(run, stream, slot, 0);
	}
	while (run->ring.busy > 0)
	{
		uint64_t	now;

		if (!ssdpar_probe_ring_wait(&run->ring, run->error))
			return false;
		while (ssdpar_probe_ring_take(&run->ring, &done))
		{
			if (!ssdpar_probe_check_completion(run, stream->operation,
											   stream->size, done.result))
				return false;
			if (sent >= stream->blocks)
				continue;
			ssdpar_probe_fill_buffer(run, done.slot, PROBE_FILL_SIZE);
			send_next(run, stream, done.slot, 0);
			sent++;
		}
		now = ssdpar_probe_now();
		if (!ssdpar_probe_may_go_on(run, now, "writing the scratch file",
									(double) sent / (double) stream->blocks) ||
			!ssdpar_probe_check_deadline(run, now, "writing the scratch file"))
			return false;
	}
	return true;
}

/*
 * Direct I/O bypasses the page cache, but not the drive's cache, and it does
 * not write the file's metadata.  Without a flush the device would still be
 * busy with both while it is measured.
 */
bool
ssdpar_probe_flush(ProbeRun *run)
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

bool
ssdpar_probe_fill(ProbeRun *run)
{
	Stream		stream = {
		.operation = PROBE_WRITE,
		.pattern = PROBE_SEQUENTIAL,
		.size = PROBE_FILL_SIZE,
		.blocks = run->file_size / PROBE_FILL_SIZE,
	};

	return drain(run, write_all(run, &stream)) && ssdpar_probe_flush(run);
}

/*
 * The state of one visit.
 *
 * Invariant: counted <= completed; counted is 0 until count_from is set; the
 * histogram contains exactly the counted completions.
 */
typedef struct Visit
{
	Stream		stream;
	uint64_t	begin;
	uint64_t	duration;
	uint64_t	completed;
	uint64_t	count_from;		/* 0 while in RAMP */
	uint64_t	counted;
} Visit;

/*
 * All completions of one wait get the same time, read once after it, because
 * reading the clock for each would attribute the handling of the first ones to
 * the last ones.  The replacement is queued immediately; otherwise the depth
 * would fall below the one to be measured.
 */
static bool
take_measured(ProbeRun *run, Visit *visit, uint64_t now)
{
	ProbeCompletion done;

	while (ssdpar_probe_ring_take(&run->ring, &done))
	{
		if (!ssdpar_probe_check_completion(run, visit->stream.operation,
										   visit->stream.size, done.result))
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

/*
 * Advances from RAMP to COUNT; true when COUNT is over.
 *
 * COUNT lasts until there are as many completions as outstanding requests,
 * even if the time has passed.  With fewer, only those that happened to be
 * fast would count, because slow ones are still outstanding.
 */
static bool
is_over(Visit *visit, int depth, uint64_t now)
{
	if (visit->count_from == 0)
	{
		/* every slot has been used once, so the pipeline is full */
		if (visit->completed >= (uint64_t) depth &&
			now - visit->begin >= visit->duration / 10)
			visit->count_from = now;
		return false;
	}
	return now - visit->begin >= visit->duration &&
		visit->counted >= MIN_COUNTED &&
		visit->counted >= (uint64_t) depth;
}

/* RAMP and COUNT: keeps DEPTH requests outstanding. */
static bool
keep_outstanding(ProbeRun *run, Visit *visit, int depth, double share,
				 uint64_t *count_to)
{
	for (int slot = 0; slot < depth; slot++)
		send_next(run, &visit->stream, slot, visit->begin);
	for (;;)
	{
		uint64_t	now;

		if (!ssdpar_probe_ring_wait(&run->ring, run->error))
			return false;
		now = ssdpar_probe_now();
		if (!take_measured(run, visit, now) ||
			!ssdpar_probe_may_go_on(run, now, "measuring", share) ||
			!ssdpar_probe_check_deadline(run, now, "measuring"))
			return false;
		if (is_over(visit, depth, now))
		{
			*count_to = now;
			return true;
		}
	}
}

/* Not always at the start, so that passes do not use the same blocks. */
static void
place_streams(ProbeRun *run, Stream *stream, int depth)
{
	stream->next = ssdpar_probe_random(&run->random_state) % stream->blocks;
	if (stream->pattern != PROBE_STREAMS)
		return;
	stream->part = stream->blocks / (uint64_t) depth;
	for (int i = 0; i < depth; i++)
		stream->places[i] =
			ssdpar_probe_random(&run->random_state) % stream->part;
}

bool
ssdpar_probe_measure(ProbeRun *run, const ProbePoint *point, uint64_t duration,
					 double share, ProbeSample *sample)
{
	Visit		visit = {
		.stream = {
			.operation = point->operation,
			.pattern = point->pattern,
			.size = point->request_size,
			.blocks = run->file_size / point->request_size,
		},
		.begin = ssdpar_probe_now(),
		.duration = duration,
	};
	uint64_t	count_to = 0;
	bool		good;

	place_streams(run, &visit.stream, point->queue_depth);
	ssdpar_probe_histogram_reset(&run->histogram);
	good = keep_outstanding(run, &visit, point->queue_depth, share, &count_to);
	if (!drain(run, good))
		return false;

	/*
	 * COUNT begins and ends with completions, so it contains whole requests
	 * only
	 */
	sample->iops = (double) visit.counted * 1e9 /
		(double) (count_to - visit.count_from);
	sample->latency_p50 =
		ssdpar_probe_histogram_quantile(&run->histogram, 0.50) / 1e3;
	sample->latency_p99 =
		ssdpar_probe_histogram_quantile(&run->histogram, 0.99) / 1e3;
	return true;
}
