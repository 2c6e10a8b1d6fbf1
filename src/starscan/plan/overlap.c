/*
 * overlap.c
 *		What of the fact is read while its star scan collects keys.
 *
 * The executor asks for the fact's beginning meanwhile, at most a window, where
 * the fact is read in sequence (starscan/exec/meanwhile.c).  The device gives
 * that while keys are computed.  While a dimension is waited for it gives the
 * dimension, so that time is not counted; nor is any computing that is not
 * known to be that.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"

#include "base/compat.h"
#include "base/settings.h"
#include "prefetch/early_read.h"
#include "starscan/plan/overlap.h"

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

SsdparReads
ssdpar_reads_after_keys(const SsdparStarTable *table,
						const SsdparCandidate *candidate, Cost computing,
						SsdparReads reads)
{
	const SsdparModel *model = &table->model;
	SsdparResidency none = {0.0, 0.0};
	double		pages = Min(ssdpar_model_device_pages(&reads),
							ssdpar_prefetch_window * 1024.0 / BLCKSZ);
	SsdparReads beginning = ssdpar_model_window(pages, SSDPAR_EARLY_CHUNKS,
												none);
	double		seconds;

	if (!is_asked_for(table, candidate) || pages <= 0 || reads.pages <= 0)
		return reads;
	seconds = ssdpar_model_io_seconds(model->profile, &model->load, &beginning,
									  1.0);
	if (seconds > 0)
		pages *= Min(computing * model->machine->seconds_per_cost_unit /
					 seconds, 1.0);
	reads.resident.page_cache += pages / reads.pages;
	return reads;
}
