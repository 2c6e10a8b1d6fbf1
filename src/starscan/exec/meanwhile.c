/*
 * meanwhile.c
 *		Requests pages from the device while a star scan collects its keys:
 *		the remaining dimensions and the beginning of a fact that is scanned
 *		sequentially.
 *
 * Coding keys and adding them to sets uses the CPU, and a child waits only for
 * its own pages.  Without these requests the device would be idle for half of
 * a short star query.  The dimensions that are scanned sequentially come
 * first, in the order in which they will be read, so that their phases share
 * the device.  The fact follows.
 *
 * No pages of the fact are requested if a bitmap is planned, because the keys
 * determine which pages it needs.  Partitions are not requested either,
 * because the keys may prune them.  If no keys are found, the requested pages
 * were read for nothing.  Their number is limited to a window, or by the
 * planner (starscan/plan/overlap.c).
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

/* Smaller dimensions need only one or two requests anyway.  */
#define LEAST_DIMENSION (2 * SSDPAR_CHUNK_BLOCKS)

/*
 * Returns the table of a child that is core's sequential scan of a large heap;
 * else NULL.
 */
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

/*
 * Returns the block where a scan will start.  Like core, it joins a scan in
 * progress.
 */
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

/*
 * The first dimension that is not known is read immediately, so it is not
 * added.
 */
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
