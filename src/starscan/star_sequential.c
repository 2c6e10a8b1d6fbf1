/*
 * star_sequential.c
 *		A star scan's sequential way: the whole fact, as core scans it.
 *
 * Workers share core's block allocator.  What comes next is announced to the
 * daemon by prefetch/scan_window.c, which is told of every new page.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/tableam.h"

#include "prefetch/scan_window.h"
#include "starscan/star_state.h"

void
ssdpar_star_sequential_begin(SsdparStarState *state)
{
	ScanState  *ss = &state->css.ss;
	Relation	rel = ss->ss_currentRelation;

	if (state->shared)
		state->scan =
			table_beginscan_parallel(rel,
									 ssdpar_star_shared_scan(state->shared));
	else
		state->scan = table_beginscan(rel, ss->ps.state->es_snapshot, 0,
									  NULL);
	state->window = ssdpar_scan_window_open(rel, state->shared != NULL,
											ss->ps.plan->plan_node_id);
	state->block = InvalidBlockNumber;
}

/* There is a window for heaps only. */
bool
ssdpar_star_sequential_next(SsdparStarState *state, TupleTableSlot *slot)
{
	bool		found = table_scan_getnextslot(state->scan,
											   ForwardScanDirection, slot);

	if (state->window != NULL)
	{
		BlockNumber block = ((HeapScanDesc) state->scan)->rs_cblock;

		if (block != state->block)
		{
			state->block = block;
			ssdpar_scan_window_look(state->window, state->scan, false);
		}
	}
	return found;
}

void
ssdpar_star_sequential_end(SsdparStarState *state)
{
	ssdpar_scan_window_end(state->window, state->scan);
	state->window = NULL;
	table_endscan(state->scan);
	state->scan = NULL;
}
