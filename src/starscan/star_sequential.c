/*
 * star_sequential.c
 *		A star scan's sequential way: the whole fact, as core scans it.
 *
 * Workers share core's block allocator.  ss_currentScanDesc shows the scan to
 * prefetch/follow.c, which announces to the daemon what comes next.
 */
#include "postgres.h"

#include "access/tableam.h"

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
	ss->ss_currentScanDesc = state->scan;
}

void
ssdpar_star_sequential_end(SsdparStarState *state)
{
	state->css.ss.ss_currentScanDesc = NULL;
	table_endscan(state->scan);
	state->scan = NULL;
}
