/*
 * model.h
 *		The arithmetic of the cost model: how long reads and computing take.
 *
 * Everything is in seconds, pages of 8 kB and requests; a plan's price is
 * turned into planner units only at the very end (ssdpar_model_units).
 *
 * Pure: no server header, so that unit tests hold it alone.  What a path
 * reads is not known here: the callers say it in SsdparReads.
 */
#ifndef SSDPAR_MODEL_H
#define SSDPAR_MODEL_H

#include <stdbool.h>

#include "device/interpolate.h"
#include "device/machine.h"

/* The largest request: what the prefetcher merges neighbours up to. */
#define SSDPAR_RUN_PAGES 32.0

/* Concurrent load on the device.  All zero means the query runs alone. */
typedef struct SsdparDeviceLoad
{
	double		io_budget;		/* requests the server may have outstanding;
								 * 0: any */
	double		others;			/* requests that others have outstanding now */
} SsdparDeviceLoad;

/* Shares of a relation's pages; what is in neither is on the device only. */
typedef struct SsdparResidency
{
	double		buffers;		/* in shared buffers */
	double		page_cache;		/* in the OS page cache, not in the former */
} SsdparResidency;

/* One stream of reads of a plan: what it wants of one relation, and how. */
typedef struct SsdparReads
{
	SsdparPattern pattern;
	double		pages;			/* wanted by all processes together, >= 0 */
	double		request_pages;	/* of one request: 1 to SSDPAR_RUN_PAGES */
	double		depth;			/* requests a process keeps outstanding, >= 1 */
	double		overlap;		/* share of its device time in which computing
								 * goes on: 0 (waited for) to 1 */
	double		area_pages;		/* > 0: they are read in block order, out of
								 * that many (ssdpar_model_block_order()) */
	SsdparResidency resident;
} SsdparReads;

/* What a plan, or a part of one, asks of device and processors. */
typedef struct SsdparDemand
{
	const SsdparReads *reads;
	int			nreads;
	double		cpu_seconds;	/* of all processes together, without page
								 * costs */
	double		processes;		/* that execute it, the leader included; >= 1 */
} SsdparDemand;

/* The answer, in seconds of wall time. */
typedef struct SsdparPrice
{
	double		io;				/* the device is busy for it, all streams */
	double		cpu;			/* computing, page hits and copies included */
	double		startup;		/* until the first prefetched page is there */
	double		total;			/* from start to end */
} SsdparPrice;

/*
 * Requests outstanding on the device by PROCESSES that keep DEPTH each: at
 * most the saturation depth, at most what the others leave of the budget, and
 * at least 1.
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

/* Device time of one stream in that many processes. */
extern double ssdpar_model_io_seconds(const SsdparProfile *profile,
									  const SsdparDeviceLoad *load,
									  const SsdparReads *reads,
									  double processes);

/* CPU time that one stream's pages take, of all processes together. */
extern double ssdpar_model_page_seconds(const SsdparMachine *machine,
										const SsdparReads *reads);

/*
 * How much of the device's time is hidden by computing: all of it where single
 * pages are announced, half where they are runs of SSDPAR_RUN_PAGES (between
 * those on a straight line); nearly all where the daemon reads in windows; a
 * part where only the kernel reads ahead.  Section "Overlap" of
 * docs/internals/cost-model.md.
 */
#define SSDPAR_LIST_OVERLAP 1.0
#define SSDPAR_RUN_OVERLAP 0.5
#define SSDPAR_WINDOW_OVERLAP 0.9
#define SSDPAR_KERNEL_OVERLAP 0.25

/* PAGES at random places, one request a page; AHEAD: prefetched at DEPTH. */
extern SsdparReads ssdpar_model_random(double pages, double depth, bool ahead,
									   SsdparResidency resident);

/*
 * A whole sequential range that is announced in windows: SSDPAR_RUN_PAGES a
 * request, DEPTH outstanding.
 */
extern SsdparReads ssdpar_model_window(double pages, double depth,
									   SsdparResidency resident);

/* The same with only the kernel reading ahead, READ_AHEAD_KB. */
extern SsdparReads ssdpar_model_read_ahead(double pages, double read_ahead_kb,
										   SsdparResidency resident);

/*
 * The share of an area's pages from which on it reads all of them, if they are
 * wanted in order: 0.15 to 1.
 */
extern double ssdpar_model_kernel_reads_all(double read_ahead_kb);

/*
 * PAGES of AREA_PAGES in block order; MERGED: runs of neighbours are one
 * request (star scan), else each page is one (bitmap heap scan).
 */
extern SsdparReads ssdpar_model_block_order(double pages, double area_pages,
											bool merged, double depth,
											bool ahead,
											SsdparResidency resident);

/* What DEMAND takes. */
extern SsdparPrice ssdpar_model_price(const SsdparProfile *profile,
									  const SsdparMachine *machine,
									  const SsdparDeviceLoad *load,
									  const SsdparDemand *demand);

/* Seconds in planner units, so that they add up with core's CPU costs. */
extern double ssdpar_model_units(const SsdparMachine *machine, double seconds);

/*
 * Time of visiting a table of that size in memory at a place that nothing
 * tells beforehand, as far as the processor's caches do not hold it.
 */
extern double ssdpar_model_access_seconds(double bytes);

#endif							/* SSDPAR_MODEL_H */
