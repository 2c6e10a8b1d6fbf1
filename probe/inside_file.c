/*
 * inside_file.c
 *		Probes the internal structure of a directory's device with a scratch
 *		file.
 *
 * inside.c decides on the requests and interprets the times.  This file issues
 * and times the requests, and converts everything that ends a run to one
 * error.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "inside_file.h"

#include <errno.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "load.h"
#include "plan.h"
#include "scratch.h"

/* After writing, the device moves data internally for a while; ns. */
#define SETTLE_TIME 1000000000
#define SETTLE_STEP 20000000

/* Additional time for a slow device; seconds. */
#define GRACE 60.0

#ifndef CIFS_SUPER_MAGIC
#define CIFS_SUPER_MAGIC 0xFF534D42
#endif
#ifndef SMB2_SUPER_MAGIC
#define SMB2_SUPER_MAGIC 0xFE534D42
#endif
#ifndef CEPH_SUPER_MAGIC
#define CEPH_SUPER_MAGIC 0x00C36400
#endif

/* Times on these would be those of the network and the server's cache. */
static const struct
{
	unsigned long magic;
	const char *name;
}			networks[] = {
	{NFS_SUPER_MAGIC, "NFS"},
	{SMB_SUPER_MAGIC, "SMB"},
	{CIFS_SUPER_MAGIC, "CIFS"},
	{SMB2_SUPER_MAGIC, "SMB"},
	{CEPH_SUPER_MAGIC, "Ceph"},
	{V9FS_MAGIC, "9P"},
	{AFS_SUPER_MAGIC, "AFS"},
	{CODA_SUPER_MAGIC, "Coda"},
};

/* The run and its progress. */
typedef struct Probed
{
	ProbeRun	run;
	const char *stage;
	double		share;
} Probed;

/* If the directory cannot be examined, scratch.c reports it. */
static bool
check_network(const char *directory, ProbeError *error)
{
	struct statfs fs;

	if (statfs(directory, &fs) != 0)
		return true;
	for (size_t i = 0; i < sizeof(networks) / sizeof(networks[0]); i++)
	{
		if ((unsigned long) (uint32_t) fs.f_type != networks[i].magic)
			continue;
		ssdpar_probe_error(error, PROBE_NOT_SUPPORTED,
						   "directory \"%s\" is on %s, a network file system",
						   directory, networks[i].name);
		ssdpar_probe_detail(error, "Times would be the network's, not the "
							"device's.");
		ssdpar_probe_hint(error, "Run ssdpar-probe --inside on the machine "
						  "that has the device.");
		return false;
	}
	return true;
}

static bool
may_go_on(Probed *probed)
{
	ProbeRun   *run = &probed->run;
	uint64_t	now = ssdpar_probe_now();

	return ssdpar_probe_may_go_on(run, now, probed->stage, probed->share) &&
		ssdpar_probe_check_deadline(run, now, probed->stage);
}

static void
progress(void *arg, const char *stage, double share)
{
	Probed	   *probed = arg;

	probed->stage = stage;
	probed->share = share;
}

/* The clock is read right after the last completion, before callbacks. */
static bool
issue(void *arg, const ProbeInsideRequest *requests, int count, double *time)
{
	Probed	   *probed = arg;
	ProbeRun   *run = &probed->run;
	ProbeCompletion done;
	uint64_t	begun;
	uint64_t	ended;

	for (int i = 0; i < count; i++)
		if (requests[i].operation == PROBE_WRITE)
			ssdpar_probe_fill_buffer(run, i, requests[i].size);
	begun = ended = ssdpar_probe_now();
	for (int i = 0; i < count; i++)
		ssdpar_probe_ring_queue(&run->ring, requests[i].operation, i,
								requests[i].size, requests[i].offset);
	while (run->ring.busy > 0)
	{
		if (!ssdpar_probe_ring_wait(&run->ring, run->error))
			return false;
		ended = ssdpar_probe_now();
		while (ssdpar_probe_ring_take(&run->ring, &done))
			if (!ssdpar_probe_check_completion(run,
											   requests[done.slot].operation,
											   requests[done.slot].size,
											   done.result))
				return false;
		if (!may_go_on(probed))
			return false;
	}
	*time = (double) (ended - begun);
	return true;
}

static bool
settle(void *arg)
{
	Probed	   *probed = arg;
	const struct timespec step = {.tv_nsec = SETTLE_STEP};

	if (!ssdpar_probe_flush(&probed->run))
		return false;
	for (int64_t passed = 0; passed < SETTLE_TIME; passed += SETTLE_STEP)
	{
		nanosleep(&step, NULL);
		if (!may_go_on(probed))
			return false;
	}
	return true;
}

static void
out_of_memory(ProbeError *error)
{
	ssdpar_probe_error(error, PROBE_NO_MEMORY, "out of memory");
	ssdpar_probe_detail(error, "Nothing is known of the device's inside.");
	ssdpar_probe_hint(error, "Free memory and try again.");
}

static bool
probe_file(Probed *probed, const ProbeOptions *options, uint32_t alignment,
		   ProbeInsideResult *result)
{
	ProbeRun   *run = &probed->run;
	ProbeInsideDevice device = {
		.bytes = (uint64_t) options->file_size,
		.alignment = alignment,
		.issue = issue,
		.settle = settle,
		.progress = progress,
		.arg = probed,
	};

	if (!ssdpar_probe_identify(run->directory, &result->device, run->error))
		return false;
	if (ssdpar_probe_inside(&device, options->seconds,
							ssdpar_probe_random(&run->random_state),
							&result->inside))
		return true;
	if (run->error->kind == PROBE_OK)
		out_of_memory(run->error);
	return false;
}

/*
 * The ring is closed before the file, because outstanding requests refer to
 * it.
 */
static bool
run_in_directory(Probed *probed, const ProbeOptions *options,
				 ProbeInsideResult *result)
{
	ProbeRun   *run = &probed->run;
	uint32_t	alignment;
	bool		good;
	int			fd = ssdpar_probe_scratch_open(run->directory,
											   &run->file_size,
											   run->file_size, &run->room,
											   &alignment, run->error);

	if (fd < 0)
		return false;
	good = ssdpar_probe_check_alignment(options, alignment, run->error) &&
		ssdpar_probe_ring_open(&run->ring, PROBE_INSIDE_BATCH,
							   PROBE_INSIDE_LARGEST, run->error);
	if (good)
	{
		run->ring.fd = fd;
		good = probe_file(probed, options, alignment, result);
		ssdpar_probe_ring_close(&run->ring);
	}
	close(fd);
	return good;
}

bool
ssdpar_probe_inside_file(const char *directory, const ProbeOptions *options,
						 const ProbeCallbacks *callbacks,
						 ProbeInsideResult *result, ProbeError *error)
{
	Probed	   *probed;
	ProbeRun   *run;
	bool		good;

	memset(result, 0, sizeof(*result));
	memset(error, 0, sizeof(*error));
	if (!ssdpar_probe_check_options(options, error) ||
		!check_network(directory, error))
		return false;
	probed = calloc(1, sizeof(*probed));
	if (probed == NULL)
	{
		out_of_memory(error);
		return false;
	}
	probed->stage = "writing the scratch file";
	run = &probed->run;
	run->directory = directory;
	run->file_size = (uint64_t) options->file_size;
	run->callbacks = callbacks;
	run->error = error;
	run->start = ssdpar_probe_now();
	run->deadline = run->start +
		(uint64_t) ((2 * options->seconds + GRACE) * 1e9);
	run->random_state = run->start;
	good = run_in_directory(probed, options, result);
	result->seconds = (double) (ssdpar_probe_now() - run->start) / 1e9;
	result->file_size = run->file_size;
	free(probed);
	return good;
}
