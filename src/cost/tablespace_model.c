/*
 * tablespace_model.c
 *		What a plan on one tablespace is priced with: profile, machine, load,
 *		and who reads ahead.
 *
 * The formulas are model.c's.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "utils/spccache.h"

#include "base/compat.h"
#include "cost/tablespace_model.h"
#include "device/device_load.h"
#include "device/profile.h"
#include "device/profile_file.h"
#include "prefetch/daemon_socket.h"
#include "base/settings.h"

/*
 * Places in memory that a page's visit waits for, one after the other, where no
 * cache has them: its buffer's descriptor, its line pointer and the row's line,
 * some of which arrive together.  Measured by index scans in random order: a
 * row took 0.14 us more in a table of 27 MB than in one of 3 MB, 0.44 us more
 * in one of 270 MB and 0.6 us more in one of 330 MB, where an access takes
 * 0.15 us.
 */
#define VISIT_ACCESSES 2.5

/*
 * What pages that are come back to in the page cache take beyond the CPU
 * calibration, whose pages are in the processor's caches.  Measured by index
 * joins: 1.2 million rows of 3 GB took 3.2 us a row more than core's costs.
 */
#define FAR_COPY_SECONDS 1.2e-6

bool
ssdpar_model_load(Oid tablespace, SsdparModel *model)
{
	const SsdparDeviceRow *device;

	model->version = ssdpar_profiles_version();
	device = ssdpar_device_get(tablespace, &model->profile);
	if (device == NULL)
		return false;
	model->machine = &device->machine;
	model->read_ahead_kb = device->read_ahead_kb;
	model->load.io_budget = ssdpar_io_budget;
	model->load.others = ssdpar_device_load_others(tablespace);
	return true;
}

bool
ssdpar_model_get(Oid tablespace, SsdparModel *model)
{
	return ssdpar_cost_model && ssdpar_model_load(tablespace, model);
}

double
ssdpar_model_depth(const SsdparModel *model)
{
	return ssdpar_io_concurrency > 0 ? ssdpar_io_concurrency :
		ssdpar_profile_saturation_depth(model->profile);
}

/*
 * Does a node of ours announce this scan (scan_window.c), and does the daemon
 * read it?  With direct I/O the server does not use the page cache.
 */
static bool
is_announced(double pages, bool parallel)
{
	if (pages * (BLCKSZ / 1024.0) < ssdpar_prefetch_min_size)
		return false;
	switch ((SsdparPrefetch) ssdpar_prefetch)
	{
		case SSDPAR_PREFETCH_LOCAL:
			return !ssdpar_direct_io();
		case SSDPAR_PREFETCH_DAEMON:
			return !ssdpar_direct_io() && ssdpar_daemon_is_there();
		case SSDPAR_PREFETCH_AUTO:
			return !parallel && !ssdpar_direct_io() && ssdpar_daemon_is_there();
		case SSDPAR_PREFETCH_OFF:
			break;
	}
	return false;
}

SsdparReads
ssdpar_model_seqscan(const SsdparModel *model, Oid tablespace, double pages,
					 SsdparResidency resident)
{
	int			depth;

	/* a read stream of 18, whose workers or ring keep so deep a window */
	if (ssdpar_asynchronous_io())
	{
		depth = get_tablespace_io_concurrency(tablespace);
		return ssdpar_model_window(pages, Max(depth, 1), resident);
	}
	return ssdpar_model_read_ahead(pages, model->read_ahead_kb, resident);
}

SsdparReads
ssdpar_model_our_seqscan(const SsdparModel *model, Oid tablespace,
						 double pages, bool parallel,
						 SsdparResidency resident)
{
	if (is_announced(pages, parallel))
		return ssdpar_model_window(pages, ssdpar_model_depth(model), resident);
	return ssdpar_model_seqscan(model, tablespace, pages, resident);
}

static double
visit_seconds(double pages)
{
	return VISIT_ACCESSES * ssdpar_model_access_seconds(pages * BLCKSZ);
}

double
ssdpar_model_visit(double pages, SsdparResidency resident)
{
	return (resident.buffers + resident.page_cache) * visit_seconds(pages);
}

double
ssdpar_model_page_again(const SsdparModel *model, double pages)
{
	double		buffers = Min((double) NBuffers / Max(pages, 1.0), 1.0);

	/* as if nothing else were in shared buffers: a bound from below */
	return buffers * (model->machine->page_hit_seconds +
					  visit_seconds(pages)) +
		(1.0 - buffers) *
		(model->machine->page_copy_seconds + FAR_COPY_SECONDS);
}

SsdparPrice
ssdpar_model_price_one(const SsdparModel *model, const SsdparReads *reads,
					   double cpu_seconds, double processes)
{
	SsdparDemand demand = {
		.reads = reads,
		.nreads = reads != NULL ? 1 : 0,
		.cpu_seconds = cpu_seconds,
		.processes = processes,
	};

	return ssdpar_model_price(model->profile, model->machine, &model->load,
							  &demand);
}
