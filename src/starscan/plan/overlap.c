/*
 * overlap.c
 *		Estimates how much of the fact is read while its star scan collects
 *		keys.
 *
 * If the fact is read sequentially, the executor requests its beginning
 * meanwhile (starscan/exec/meanwhile.c).  The device reads it while keys are
 * computed.  While the scan waits for a dimension, the device reads the
 * dimension, so that time does not count, and neither does computing that is
 * not known to be computing.
 *
 * How much of the fact?  At least one window.  More than that if all rows are
 * needed, but only as far as both of these conditions hold:
 *
 *		The device takes longer for the fact than the processing of its rows.
 *		Pages available earlier than that gain nothing.  Requesting them takes
 *		time of the process that collects the keys, and none of the others,
 *		which wait for these.
 *
 *		It is still in the page cache when the scan gets to it.  The limit is a
 *		small fraction of what a query finds cached according to the user,
 *		divided by the number of active sessions, which do the same.
 *
 * If no key is found, these pages were read in vain.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"

#include "base/compat.h"
#include "base/rows_wanted.h"
#include "base/settings.h"
#include "prefetch/early_read.h"
#include "starscan/plan/overlap.h"

/* Fraction of effective_cache_size (1 / n) that early reads may fill. */
#define CACHE_SHARE 8.0

Cost
ssdpar_child_computing(const Path *path)
{
	const RelOptInfo *rel = path->parent;

	if (IsA(path, ProjectionPath))
		return ssdpar_child_computing(((const ProjectionPath *) path)->subpath);
	if (path->pathtype != T_SeqScan || path->parallel_workers > 0)
		return 0;
	return Min(path->total_cost,
			   rel->baserestrictcost.startup + rel->tuples *
			   (cpu_tuple_cost + rel->baserestrictcost.per_tuple));
}

/* Mirrors ssdpar_star_meanwhile() and ssdpar_scan_window_possible(). */
static bool
is_asked_for(const SsdparStarTable *table, const SsdparCandidate *candidate)
{
	return candidate->access == SSDPAR_STAR_SEQUENTIAL &&
		table->rel == table->fact &&
		ssdpar_prefetch != SSDPAR_PREFETCH_OFF && !ssdpar_direct_io() &&
		candidate->pages * (BLCKSZ / 1024.0) >= ssdpar_prefetch_min_size;
}

/* As far as is known; the joins above may need only some of the rows. */
static bool
wants_all(const PlannerInfo *root)
{
	return root->tuple_fraction <= 0 || ssdpar_level_takes_all(root);
}

double
ssdpar_early_pages(const SsdparStarTable *table,
				   const SsdparCandidate *candidate,
				   const SsdparReads *reads, double cpu_seconds)
{
	const SsdparModel *model = &table->model;
	double		window = ssdpar_prefetch_window * 1024.0 / BLCKSZ;
	double		cached = effective_cache_size / CACHE_SHARE;
	SsdparPrice price;

	if (!is_asked_for(table, candidate))
		return 0;
	if (!wants_all(table->root))
		return window;
	price = ssdpar_model_price_one(model, reads, cpu_seconds,
								   candidate->processes);
	if (price.io <= price.cpu)
		return window;
	return Max(window, Min(cached, candidate->pages *
						   (1.0 - price.cpu / price.io)));
}

SsdparReads
ssdpar_reads_after_keys(const SsdparStarTable *table, double early_pages,
						Cost computing, SsdparReads reads)
{
	const SsdparModel *model = &table->model;
	SsdparResidency none = {0.0, 0.0};
	double		pages = Min(ssdpar_model_device_pages(&reads), early_pages);
	SsdparReads beginning = ssdpar_model_window(pages, SSDPAR_EARLY_CHUNKS,
												none);
	double		seconds;

	if (pages <= 0 || reads.pages <= 0)
		return reads;
	seconds = ssdpar_model_io_seconds(model->profile, &model->load, &beginning,
									  1.0);
	if (seconds > 0)
		pages *= Min(computing * model->machine->seconds_per_cost_unit /
					 seconds, 1.0);
	reads.resident.page_cache += pages / reads.pages;
	return reads;
}
