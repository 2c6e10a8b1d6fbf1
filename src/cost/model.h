/*
 * model.h
 *		Arithmetic of the cost model: how long reads and computations take.
 *
 * All quantities are seconds, pages of 8 kB, and requests.  Prices of plans
 * are converted to planner units only at the end (ssdpar_model_units).
 *
 * No server headers, so that unit tests can use it alone.  The callers
 * describe the reads of a path in SsdparReads.
 */
#ifndef SSDPAR_MODEL_H
#define SSDPAR_MODEL_H

#include <stdbool.h>

#include "device/interpolate.h"
#include "device/machine.h"

/* The largest request that the prefetcher makes from neighboring pages. */
#define SSDPAR_RUN_PAGES 32.0

/* Concurrent load on the device.  All zero means the query runs alone. */
typedef struct SsdparDeviceLoad
{
	double		io_budget;		/* requests the server may have outstanding;
								 * 0: any */
	double		others;			/* requests that others have outstanding now */
} SsdparDeviceLoad;

/*
 * Shares of a relation's pages in memory; the rest must be read from the
 * device.
 */
typedef struct SsdparResidency
{
	double		buffers;		/* in shared buffers */
	double		page_cache;		/* only in the OS page cache */
} SsdparResidency;

/*
 * One stream of reads in a plan: the pages of one relation, and how it reads
 * them.
 */
typedef struct SsdparReads
{
	SsdparPattern pattern;
	double		pages;			/* of all processes together, >= 0 */
	double		request_pages;	/* per request: 1 to SSDPAR_RUN_PAGES */
	double		depth;			/* requests outstanding per process, >= 1 */
	double		overlap;		/* share of device time that computing hides:
								 * 0 (waited for) to 1 */
	double		area_pages;		/* > 0: read in block order, from this number
								 * of pages (ssdpar_model_block_order()) */
	SsdparResidency resident;
} SsdparReads;

/* What a plan, or a part of one, needs of device and processors. */
typedef struct SsdparDemand
{
	const SsdparReads *reads;
	int			nreads;
	double		cpu_seconds;	/* of all processes together, without page
								 * costs */
	double		processes;		/* including the leader; >= 1 */
} SsdparDemand;

/* The result, in seconds of elapsed time. */
typedef struct SsdparPrice
{
	double		io;				/* device time of all streams */
	double		cpu;			/* computing, including page hits and copies */
	double		startup;		/* until the first prefetched page arrives */
	double		total;			/* from start to end */
} SsdparPrice;

/*
 * Requests outstanding on the device if PROCESSES keep DEPTH each: limited by
 * the saturation depth and by the unused part of the budget, but at least 1.
 */
extern double ssdpar_model_outstanding(const SsdparProfile *profile,
									   const SsdparDeviceLoad *load,
									   double processes, double depth);

/*
 * Mean length of the runs of neighbours when PAGES of AREA_PAGES are wanted,
 * spread evenly: 1 to SSDPAR_RUN_PAGES.
 */
extern double ssdpar_model_run_pages(double pages, double area_pages);

/* Pages of READS that come from the device. */
extern double ssdpar_model_device_pages(const SsdparReads *reads);

/* Device time of one stream in this number of processes. */
extern double ssdpar_model_io_seconds(const SsdparProfile *profile,
									  const SsdparDeviceLoad *load,
									  const SsdparReads *reads,
									  double processes);

/* CPU time for one stream's pages, of all processes together. */
extern double ssdpar_model_page_seconds(const SsdparMachine *machine,
										const SsdparReads *reads);

/*
 * The share of device time that computing hides: all of it for announced
 * single pages, half for runs of SSDPAR_RUN_PAGES (linear in between), nearly
 * all if the daemon reads in windows, and a part if only the kernel reads
 * ahead.  See "Overlap" in docs/internals/cost-model.md.
 */
#define SSDPAR_LIST_OVERLAP 1.0
#define SSDPAR_RUN_OVERLAP 0.5
#define SSDPAR_WINDOW_OVERLAP 0.9
#define SSDPAR_KERNEL_OVERLAP 0.25

/*
 * PAGES at random positions, one request per page.  AHEAD: prefetched at
 * DEPTH.
 */
extern SsdparReads ssdpar_model_random(double pages, double depth, bool ahead,
									   SsdparResidency resident);

/*
 * A whole sequential range, announced in windows: SSDPAR_RUN_PAGES per
 * request, DEPTH outstanding.
 */
extern SsdparReads ssdpar_model_window(double pages, double depth,
									   SsdparResidency resident);

/* The same if only the kernel reads ahead, READ_AHEAD_KB. */
extern SsdparReads ssdpar_model_read_ahead(double pages, double read_ahead_kb,
										   SsdparResidency resident);

/*
 * The share of an area's pages, read in order, from which the kernel reads all
 * of them: 0.15 to 1.
 */
extern double ssdpar_model_kernel_reads_all(double read_ahead_kb);

/*
 * PAGES of AREA_PAGES in block order.  MERGED: one request per run of
 * neighboring pages (star scan), else one per page (bitmap heap scan).
 */
extern SsdparReads ssdpar_model_block_order(double pages, double area_pages,
											bool merged, double depth,
											bool ahead,
											SsdparResidency resident);

/* The predicted time of DEMAND. */
extern SsdparPrice ssdpar_model_price(const SsdparProfile *profile,
									  const SsdparMachine *machine,
									  const SsdparDeviceLoad *load,
									  const SsdparDemand *demand);

/*
 * Converts seconds to planner units, so that they can be added to core's CPU
 * costs.
 */
extern double ssdpar_model_units(const SsdparMachine *machine, double seconds);

/*
 * Time to access an unpredictable position in a table of this size in memory,
 * as far as the processor's caches do not hold it.
 */
extern double ssdpar_model_access_seconds(double bytes);

#endif							/* SSDPAR_MODEL_H */
