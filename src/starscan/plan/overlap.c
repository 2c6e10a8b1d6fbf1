/*
 * overlap.c
 *		What of the fact is read while its star scan collects keys.
 *
 * The executor asks for the fact's beginning meanwhile, where the fact is read
 * in sequence (starscan/exec/meanwhile.c).  The device gives that while keys
 * are computed.  While a dimension is waited for it gives the dimension, so
 * that time is not counted; nor is any computing that is not known to be that.
 *
 * How much of the fact?  A window in any case.  More than that where all of the
 * rows are wanted, as far as
 *
 *		the device takes longer for the fact than its rows take to be computed:
 *		what is there earlier than that gains nothing, and to ask for it takes
 *		the process that collects the keys a part of its time, and the others,
 *		who wait for these, none
 *
 *		it is still in the page cache when the scan comes to it: a small share
 *		of what the user says that a query finds cached, divided by the sessions
 *		at work, who do the same
 *
 * Whoever finds no key has read that in vain, as far as it came.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"

#include "base/compat.h"
#include "base/rows_wanted.h"
#include "base/settings.h"
#include "prefetch/early_read.h"
#include "starscan/plan/overlap.h"

/* Of effective_cache_size, what early reads may fill. */
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

/* As ssdpar_star_meanwhile() and ssdpar_scan_window_possible() decide. */
static bool
is_asked_for(const SsdparStarTable *table, const SsdparCandidate *candidate)
{
	return candidate->access == SSDPAR_STAR_SEQUENTIAL &&
		table->rel == table->fact &&
		ssdpar_prefetch != SSDPAR_PREFETCH_OFF && !ssdpar_direct_io() &&
		candidate->pages * (BLCKSZ / 1024.0) >= ssdpar_prefetch_min_size;
}

/* As far as is known: the joins above may be content with some of the rows. */
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
	double		cached = effective_cache_size / CACHE_SHARE /
		(1.0 + Max(model->load.busy_sessions, 0.0));
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
