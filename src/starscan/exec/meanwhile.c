/*
 * meanwhile.c
 *		What is asked for while a star scan collects its keys: the dimensions
 *		to come, and the beginning of a fact that is read in sequence.
 *
 * Coding keys and adding them to sets is computing, and a child waits for its
 * own pages only.  So the device would have nothing to do for half of a short
 * star query.  First come the dimensions that are read in sequence, in the
 * order in which they will be, so that their phases share the device; then the
 * fact.
 *
 * Of the fact nothing is asked for where a bitmap is planned: that knows which
 * of its pages are wanted only when the keys are known.  Neither of a
 * partition, which keys may prune.  Where no key is found, what was asked for
 * has been read in vain: a window, or what the planner says
 * (starscan/plan/overlap.c).
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/syncscan.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "base/settings.h"
#include "prefetch/chunks.h"
#include "prefetch/scan_window.h"
#include "starscan/exec/meanwhile.h"

/* Smaller dimensions come with a request or two in any case. */
#define LEAST_DIMENSION (2 * SSDPAR_CHUNK_BLOCKS)

/* A child that is core's sequential scan of a heap, if it is large enough. */
static Relation
dimension_of(const PlanState *child)
{
	Relation	rel;

	if (!IsA(child, SeqScanState))
		return NULL;
	rel = ((const ScanState *) child)->ss_currentRelation;
	if (rel->rd_tableam != GetHeapamTableAmRoutine() ||
		RelationUsesLocalBuffers(rel) ||
		RelationGetNumberOfBlocks(rel) < LEAST_DIMENSION)
		return NULL;
	return rel;
}

/* Where a scan begins: with those that are under way, as core has it. */
static BlockNumber
start_of(Relation rel, BlockNumber nblocks)
{
	if (!synchronize_seqscans || nblocks <= (BlockNumber) NBuffers / 4)
		return 0;
	return ss_get_location(rel, nblocks);
}

static void
add(SsdparEarlyRead *early, Relation rel, double pages, uint64 *asked)
{
	BlockNumber nblocks = RelationGetNumberOfBlocks(rel);

	ssdpar_early_read_add(early, rel, start_of(rel, nblocks), nblocks, pages,
						  asked);
}

/* The first dimension that is not known is read at once. */
static int
add_dimensions(const SsdparStarPlan *plan, const SsdparStarChild *children,
			   SsdparStarData *data, SsdparEarlyRead *early)
{
	bool		first = true;
	int			n = 0;

	for (int i = 0; i < plan->nreducers; i++)
	{
		Relation	rel = first || data->result->reducers[i].known ? NULL :
			dimension_of(children[i].plan);

		first &= data->result->reducers[i].known;
		if (rel == NULL)
			continue;
		add(early, rel, 0, &data->result->dimensions_asked);
		n++;
	}
	return n;
}

static bool
all_known(const SsdparStarData *data)
{
	for (int i = 0; i < data->nreducers; i++)
	{
		if (!data->result->reducers[i].known)
			return false;
	}
	return true;
}

SsdparEarlyRead *
ssdpar_star_meanwhile(const SsdparStarPlan *plan,
					  const SsdparStarChild *children, Relation fact,
					  SsdparStarData *data)
{
	SsdparEarlyRead *early;
	bool		wanted = fact != NULL &&
		plan->access == SSDPAR_STAR_SEQUENTIAL &&
		ssdpar_scan_window_possible(fact);
	int			n;

	data->result->fact_asked = data->result->dimensions_asked = 0;
	if (!ssdpar_enabled || ssdpar_prefetch == SSDPAR_PREFETCH_OFF ||
		ssdpar_direct_io() || all_known(data))
		return NULL;
	early = ssdpar_early_read_begin(plan->nreducers + 1);
	n = add_dimensions(plan, children, data, early);
	if (wanted)
		add(early, fact, plan->early_pages, &data->result->fact_asked);
	return n > 0 || wanted ? early : NULL;
}
