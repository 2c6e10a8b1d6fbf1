/*
 * model.c
 *		Arithmetic of the cost model: how long reads and computations take.
 *
 * "The paper" is Chen, Hou, Lee: Internal Parallelism of Flash Memory-Based
 * Solid-State Drives, 2016.  Its section 7.5 asks for an optimizer that
 * considers parallelism, and section 10 for one that knows the device's
 * parallelism; comments at the formulas name the sections that they follow.
 * Measured constants are from the reference machine
 * (docs/internals/cost-model.md).
 *
 * This file depends neither on paths nor on settings, and reads no profile.
 */
#include "model.h"

#include <math.h>
#include <stddef.h>

/* The kernel splits larger reads; also the request size in a window. */
#define RUN_KB (SSDPAR_RUN_PAGES * SSDPAR_PAGE_BYTES / 1024.0)

/*
 * An access to memory that no cache of a processor holds, and how much of a
 * table these hold: typical values.  They differ between machines by a factor
 * of two or so.
 */
#define ACCESS_SECONDS 0.2e-6
#define CACHE_BYTES (2.0 * 1024 * 1024)

static double
at_least(double value, double least)
{
	return value > least ? value : least;	/* NaN becomes least */
}

static double
at_most(double value, double most)
{
	return value < most ? value : most; /* NaN becomes most */
}

static double
clamp(double value, double least, double most)
{
	return at_most(at_least(value, least), most);
}

/*
 * A depth beyond saturation only adds queueing (paper, section 6.1: throughput
 * levels off).  So once the product of processes and depth saturates the
 * device, parallel processes and prefetching do not add up.  There is always
 * at least one request.
 */
double
ssdpar_model_outstanding(const SsdparProfile *profile,
						 const SsdparDeviceLoad *load, double processes,
						 double depth)
{
	double		most = ssdpar_profile_saturation_depth(profile);

	if (load->io_budget > 0.0)
		most = at_most(most, load->io_budget - load->others);
	return clamp(processes * depth, 1.0, at_least(most, 1.0));
}

/*
 * PAGES of AREA_PAGES drawn at random fall into pages * (area - pages + 1) /
 * area runs on average (Wald and Wolfowitz 1940).
 */
double
ssdpar_model_run_pages(double pages, double area_pages)
{
	double		wanted = at_most(pages, area_pages);

	return clamp(area_pages / (area_pages - wanted + 1.0), 1.0,
				 SSDPAR_RUN_PAGES);
}

/* The caches are sampled separately, so the sum may exceed all pages. */
static double
resident_share(const SsdparReads *reads)
{
	return clamp(at_least(reads->resident.buffers, 0.0) +
				 at_least(reads->resident.page_cache, 0.0), 0.0, 1.0);
}

double
ssdpar_model_device_pages(const SsdparReads *reads)
{
	return at_least(reads->pages, 0.0) * (1.0 - resident_share(reads));
}

/*
 * Seconds per request of ours while OURS and those of others are outstanding:
 * the latency at the total depth, divided by our depth (Little's law).
 * Without others, it is 1 / iops.  Queries on one device slow each other down
 * (paper, sections 6.2 and 7.4).
 */
static double
request_seconds(const SsdparProfile *profile, const SsdparDeviceLoad *load,
				SsdparPattern pattern, double request_pages, double ours)
{
	return 1e-6 / ours *
		ssdpar_profile_latency(profile, pattern,
							   request_pages * SSDPAR_PAGE_BYTES,
							   ours + at_least(load->others, 0.0));
}

/* Device time of a stream of which PAGES come from the device. */
static double
stream_seconds(const SsdparProfile *profile, const SsdparDeviceLoad *load,
			   const SsdparReads *reads, double pages, double processes)
{
	double		ours = ssdpar_model_outstanding(profile, load, processes,
												reads->depth);
	double		request_pages = clamp(reads->request_pages, 1.0,
									  SSDPAR_RUN_PAGES);
	double		seconds;

	if (!(pages > 0.0))
		return 0.0;
	seconds = pages / request_pages *
		request_seconds(profile, load, reads->pattern, request_pages, ours);

	/*
	 * Reads in block order cost at most as much as reading the whole area
	 * sequentially with requests of that size, because a disk's head passes
	 * over a gap instead of seeking.  Core interpolates between both by the
	 * square root of the density (cost_bitmap_heap_scan), which is too
	 * optimistic for an SSD, where sparse pages cost as much as at random.
	 */
	if (reads->area_pages > 0.0)
		seconds = at_most(reads->area_pages / request_pages *
						  request_seconds(profile, load, SSDPAR_SEQUENTIAL,
										  request_pages, ours), seconds);
	return seconds;
}

/*
 * Time until the first request of a prefetched stream returns; until then, the
 * device has no other request of ours.
 */
static double
ramp_up_seconds(const SsdparProfile *profile, const SsdparDeviceLoad *load,
				const SsdparReads *reads, double pages)
{
	double		request_pages = clamp(reads->request_pages, 1.0,
									  SSDPAR_RUN_PAGES);

	if (!(pages > 0.0) || !(reads->overlap > 0.0))
		return 0.0;
	return at_most(pages, 1.0) *
		request_seconds(profile, load, reads->pattern,
						clamp(pages, 1.0, request_pages), 1.0);
}

double
ssdpar_model_io_seconds(const SsdparProfile *profile,
						const SsdparDeviceLoad *load,
						const SsdparReads *reads, double processes)
{
	return stream_seconds(profile, load, reads,
						  ssdpar_model_device_pages(reads), processes);
}

/*
 * A page from the device passes through the page cache, which costs about as
 * much CPU time as the device takes.  Most of that belongs to the request, not
 * to the page.
 */
static double
fill_seconds(const SsdparMachine *machine, const SsdparReads *reads)
{
	double		request = at_least(machine->page_fill_seconds -
								   machine->page_stream_seconds, 0.0);

	return machine->page_stream_seconds +
		request / clamp(reads->request_pages, 1.0, SSDPAR_RUN_PAGES);
}

/* FILLED pages come from the device; a page in memory is found or copied. */
static double
page_seconds(const SsdparMachine *machine, const SsdparReads *reads,
			 double filled)
{
	double		pages = at_least(reads->pages, 0.0);
	double		hits = pages * clamp(reads->resident.buffers, 0.0, 1.0);
	double		copied = at_least(pages - hits - filled, 0.0);

	return hits * machine->page_hit_seconds +
		copied * machine->page_copy_seconds +
		filled * fill_seconds(machine, reads);
}

double
ssdpar_model_page_seconds(const SsdparMachine *machine,
						  const SsdparReads *reads)
{
	return page_seconds(machine, reads, ssdpar_model_device_pages(reads));
}

SsdparReads
ssdpar_model_random(double pages, double depth, bool ahead,
					SsdparResidency resident)
{
	SsdparReads reads = {
		.pattern = SSDPAR_RANDOM,
		.pages = pages,
		.request_pages = 1.0,
		.depth = depth,
		.overlap = ahead ? SSDPAR_LIST_OVERLAP : 0.0,
		.resident = resident,
	};

	return reads;
}

SsdparReads
ssdpar_model_window(double pages, double depth, SsdparResidency resident)
{
	SsdparReads reads = {
		.pattern = SSDPAR_SEQUENTIAL,
		.pages = pages,
		.request_pages = SSDPAR_RUN_PAGES,
		.depth = depth,
		.overlap = SSDPAR_WINDOW_OVERLAP,
		.resident = resident,
	};

	return reads;
}

/*
 * The kernel keeps one window of read_ahead_kb outstanding, in requests of at
 * most 256 kB.  Computing hides only a part of this time, because the reader
 * waits at the start of each window.
 */
SsdparReads
ssdpar_model_read_ahead(double pages, double read_ahead_kb,
						SsdparResidency resident)
{
	SsdparReads reads = {
		.pattern = SSDPAR_SEQUENTIAL,
		.pages = pages,
		.request_pages = clamp(read_ahead_kb / RUN_KB, 1.0 / SSDPAR_RUN_PAGES,
							   1.0) * SSDPAR_RUN_PAGES,
		.depth = at_least(floor(read_ahead_kb / RUN_KB), 1.0),
		.overlap = SSDPAR_KERNEL_OVERLAP,
		.resident = resident,
	};

	return reads;
}

/*
 * A reader that skips some pages still reads the window that it has started,
 * which happens at lower densities if the window is larger.  The bounds were
 * measured (docs/internals/cost-model.md).
 */
double
ssdpar_model_kernel_reads_all(double read_ahead_kb)
{
	if (read_ahead_kb < 2.0 * RUN_KB / SSDPAR_RUN_PAGES)
		return 1.0;
	return clamp(0.3 - 0.075 * log2(read_ahead_kb / 128.0), 0.15, 0.9);
}

SsdparReads
ssdpar_model_block_order(double pages, double area_pages, bool merged,
						 double depth, bool ahead, SsdparResidency resident)
{
	double		run = merged ? ssdpar_model_run_pages(pages, area_pages) : 1.0;

	/* linear between the overlaps of single pages and of the longest runs */
	double		overlap = SSDPAR_LIST_OVERLAP -
		(SSDPAR_LIST_OVERLAP - SSDPAR_RUN_OVERLAP) *
		(run - 1.0) / (SSDPAR_RUN_PAGES - 1.0);
	SsdparReads reads = {
		.pattern = SSDPAR_RANDOM,
		.pages = at_most(pages, area_pages),
		.request_pages = run,
		.depth = depth,
		.overlap = ahead ? overlap : 0.0,
		.area_pages = area_pages,
		.resident = resident,
	};

	return reads;
}

/*
 * Concurrent activities take as long as the longer one (paper, section 7.3),
 * and slightly longer, because either may have to wait for the other for a
 * moment. This effect is greatest if both take equally long, and is the reason
 * why two processes read a table faster than one that could just keep up with
 * the device.
 */
static double
at_once(double reading, double computing)
{
	if (!(reading > 0.0))
		return computing;
	return cbrt(reading * reading * reading +
				computing * computing * computing);
}

/*
 * Prefetched reads and computing overlap after the ramp-up.  What is
 * waited for adds to the process's own computing, cpu / processes; while it
 * waits, others compute, so with more processes than cores these are the other
 * bound (asymptotic bounds of a closed queueing system).  With no more
 * processes than cores, and nothing prefetched, this is io + cpu.
 */
static double
combine(double ahead, double waited, double cpu_sum, double processes,
		double cores)
{
	double		cpu = cpu_sum / clamp(processes, 1.0, cores);
	double		own = cpu_sum / at_least(processes, 1.0);
	double		together = at_least(ahead + waited,
									waited + at_once(ahead, own));

	return own < cpu ? at_least(together, at_once(ahead, cpu)) : together;
}

SsdparPrice
ssdpar_model_price(const SsdparProfile *profile, const SsdparMachine *machine,
				   const SsdparDeviceLoad *load, const SsdparDemand *demand)
{
	SsdparPrice price = {0.0, 0.0, 0.0, 0.0};
	double		cores = at_least(machine->cores, 1.0);
	double		processes = at_least(demand->processes, 1.0);
	double		cpu_sum = at_least(demand->cpu_seconds, 0.0);
	double		ahead = 0.0;
	double		waited = 0.0;

	for (int i = 0; i < demand->nreads; i++)
	{
		const SsdparReads *reads = &demand->reads[i];
		double		pages = ssdpar_model_device_pages(reads);
		double		seconds = stream_seconds(profile, load, reads, pages,
											 processes);

		ahead += seconds * reads->overlap;
		waited += seconds * (1.0 - reads->overlap);
		cpu_sum += page_seconds(machine, reads, pages);
		price.startup = at_least(price.startup,
								 ramp_up_seconds(profile, load, reads, pages));
	}
	price.io = ahead + waited;
	price.cpu = cpu_sum / clamp(processes, 1.0, cores);
	price.total = price.startup +
		combine(ahead, waited, cpu_sum, processes, cores);
	return price;
}

double
ssdpar_model_units(const SsdparMachine *machine, double seconds)
{
	return seconds / machine->seconds_per_cost_unit;
}

double
ssdpar_model_access_seconds(double bytes)
{
	return bytes <= CACHE_BYTES ? 0.0 :
		ACCESS_SECONDS * (1.0 - CACHE_BYTES / bytes);
}
