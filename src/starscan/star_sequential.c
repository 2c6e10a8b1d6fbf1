/*
 * star_sequential.c
 *		A star scan's sequential way: the whole fact, as core scans it.
 *
 * Workers share core's block allocator.  What comes next is announced to the
 * daemon by prefetch/scan_window.c, and each process asks for its own next piece
 * (prefetch/scan_pieces.c): both are told of every new page.
 *
 * Core's scan of a heap finds the visible rows of a page at once and then hands
 * them out one by one.  Between two of these the tests are shown what comes
 * next on the page, and the scan is made to go past what they drop.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/tableam.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"

#include "prefetch/scan_pieces.h"
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
	state->pieces = ssdpar_scan_pieces_open(rel);
	ssdpar_scan_pieces_begin(state->pieces, state->scan);
	state->block = InvalidBlockNumber;
}

/* Another kind of table may keep its rows in another way. */
bool
ssdpar_star_sequential_peeks(const SsdparStarState *state)
{
	Relation	rel = state->css.ss.ss_currentRelation;

	return rel->rd_tableam == GetHeapamTableAmRoutine() &&
		IsMVCCSnapshot(state->css.ss.ps.state->es_snapshot);
}

/*
 * Go past the page's next rows that the tests drop; true if one is left.  What
 * counts rows that were read is named for indexes.
 */
static bool
skip_rows(SsdparStarState *state)
{
	HeapScanDesc heap = (HeapScanDesc) state->scan;
	int			next;
	int			passes;

	if (!BufferIsValid(heap->rs_cbuf))
		return false;
	Assert((state->scan->rs_flags & SO_ALLOW_PAGEMODE) != 0);
	next = heap->rs_cindex + 1;
	passes = ssdpar_star_tests_skip(state->tests,
									BufferGetPage(heap->rs_cbuf),
									heap->rs_vistuples, next,
									heap->rs_ntuples);
	pgstat_count_index_tuples(state->scan->rs_rd, passes - next);
	heap->rs_cindex = passes - 1;
	return passes < (int) heap->rs_ntuples;
}

/* There is something to read ahead for heaps only. */
static void
look_ahead(SsdparStarState *state)
{
	BlockNumber block;

	if (state->window == NULL && state->pieces == NULL)
		return;
	block = ((HeapScanDesc) state->scan)->rs_cblock;
	if (block != state->block)
	{
		state->block = block;
		ssdpar_scan_window_look(state->window, state->scan, false);
		ssdpar_scan_pieces_ask(state->pieces, state->scan);
	}
}

/* The first row of each page has not been shown to the tests before. */
static bool
first_passes(SsdparStarState *state)
{
	HeapScanDesc heap = (HeapScanDesc) state->scan;

	return ssdpar_star_tests_peek(state->tests, heap->rs_ctup.t_data);
}

bool
ssdpar_star_sequential_next(SsdparStarState *state, TupleTableSlot *slot)
{
	bool		found;
	bool		shown;

	do
	{
		CHECK_FOR_INTERRUPTS();
		shown = !state->peeks || skip_rows(state);
		found = table_scan_getnextslot(state->scan, ForwardScanDirection,
									   slot);
		look_ahead(state);
	} while (found && !shown && !first_passes(state));
	return found;
}

void
ssdpar_star_sequential_end(SsdparStarState *state)
{
	ssdpar_scan_window_end(state->window, state->scan);
	state->window = NULL;
	ssdpar_scan_pieces_end(state->pieces);
	state->pieces = NULL;
	table_endscan(state->scan);
	state->scan = NULL;
}
