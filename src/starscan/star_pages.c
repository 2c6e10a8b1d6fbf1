/*
 * star_pages.c
 *		A star scan's way by bitmap, second half: the rows of the bitmap's
 *		pages.
 *
 * Here a page is pinned, its visible rows are found, and they are handed out
 * one by one.  Which page comes next, and that it has been asked for before,
 * is star_ahead.c's business.
 *
 * Visibility is settled under the page's share lock, for all of its rows at
 * once, as core's bitmap heap scan does: of an exact page for those the bitmap
 * names and what became of them by HOT updates, of a lossy page for all.
 * Where vacuum has noted that everybody sees the whole page, no row is looked
 * at.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/xact.h"
#include "executor/tuptable.h"
#include "miscadmin.h"
#include "pgstat.h"
#include "storage/bufmgr.h"
#include "storage/predicate.h"
#include "utils/rel.h"

#include "compat.h"
#include "starscan/star_ahead.h"
#include "starscan/star_state.h"

struct SsdparStarPages
{
	SsdparStarAhead *ahead;
	Relation	rel;
	Snapshot	snapshot;
	const SsdparTidPages *pages;
	Buffer		buffer;			/* pinned; the page below */
	BlockNumber block;
	SsdparStarTests *tests;		/* of its rows */
	int			nrows;
	int			next_row;
	HeapTupleData tuple;		/* the slot points to it */
	OffsetNumber rows[MaxHeapTuplesPerPage];	/* visible ones */
};

void
ssdpar_star_pages_begin(SsdparStarState *state)
{
	SsdparStarPages *reader = palloc0_object(SsdparStarPages);

	reader->rel = state->css.ss.ss_currentRelation;
	reader->tuple.t_tableOid = RelationGetRelid(reader->rel);
	reader->snapshot = state->css.ss.ps.state->es_snapshot;
	reader->pages = state->pages;
	reader->buffer = InvalidBuffer;
	reader->ahead = ssdpar_star_ahead_begin(state);
	state->reader = reader;
}

void
ssdpar_star_pages_end(SsdparStarState *state)
{
	SsdparStarPages *reader = state->reader;

	if (BufferIsValid(reader->buffer))
		ReleaseBuffer(reader->buffer);
	ssdpar_star_ahead_end(reader->ahead);
	state->reader = NULL;
}

/*
 * A page whose rows everybody sees: what the bitmap names there are rows, none
 * of which has another version.  As in core's sequential scan this is not
 * believed on a standby, where the page may be ahead of the snapshot, and a
 * serializable transaction has to mark what it reads row by row.
 */
static bool
all_visible(const SsdparStarPages *reader)
{
	return PageIsAllVisible(BufferGetPage(reader->buffer)) &&
		!reader->snapshot->takenDuringRecovery && !IsolationIsSerializable();
}

/*
 * Row pointers without their rows: an index row read before vacuum removed it
 * may still name one.
 */
static void
take_named_rows(SsdparStarPages *reader, const OffsetNumber *offsets,
				int noffsets)
{
	Page		page = BufferGetPage(reader->buffer);
	OffsetNumber last = PageGetMaxOffsetNumber(page);

	for (int i = 0; i < noffsets && offsets[i] <= last; i++)
	{
		ItemId		item = PageGetItemId(page, offsets[i]);
		OffsetNumber offset = offsets[i];

		if (ItemIdIsRedirected(item))
		{
			offset = ItemIdGetRedirect(item);
			item = PageGetItemId(page, offset);
		}
		if (ItemIdIsNormal(item))
			reader->rows[reader->nrows++] = offset;
	}
}

/* Rows named by the bitmap, ascending. */
static void
find_named_rows(SsdparStarPages *reader, const OffsetNumber *offsets,
				int noffsets)
{
	if (all_visible(reader))
	{
		take_named_rows(reader, offsets, noffsets);
		return;
	}
	for (int i = 0; i < noffsets; i++)
	{
		ItemPointerData tid;
		HeapTupleData tuple;

		ItemPointerSet(&tid, reader->block, offsets[i]);
		if (heap_hot_search_buffer(&tid, reader->rel, reader->buffer,
								   reader->snapshot, &tuple, NULL, true))
			reader->rows[reader->nrows++] = ItemPointerGetOffsetNumber(&tid);
	}
}

static void
find_row(SsdparStarPages *reader, Page page, OffsetNumber offset)
{
	ItemId		item = PageGetItemId(page, offset);
	HeapTupleData tuple;
	bool		visible;

	if (!ItemIdIsNormal(item))
		return;
	tuple.t_data = (HeapTupleHeader) PageGetItem(page, item);
	tuple.t_len = ItemIdGetLength(item);
	tuple.t_tableOid = RelationGetRelid(reader->rel);
	ItemPointerSet(&tuple.t_self, reader->block, offset);
	visible = HeapTupleSatisfiesVisibility(&tuple, reader->snapshot,
										   reader->buffer);
	if (visible)
	{
		reader->rows[reader->nrows++] = offset;
		PredicateLockTID(reader->rel, &tuple.t_self, reader->snapshot,
						 HeapTupleHeaderGetXmin(tuple.t_data));
	}
	HeapCheckForSerializableConflictOut(visible, reader->rel, &tuple,
										reader->buffer, reader->snapshot);
}

static void
find_all_rows(SsdparStarPages *reader)
{
	Page		page = BufferGetPage(reader->buffer);
	OffsetNumber last = PageGetMaxOffsetNumber(page);
	bool		sure = all_visible(reader);

	for (OffsetNumber offset = FirstOffsetNumber; offset <= last; offset++)
	{
		if (!sure)
			find_row(reader, page, offset);
		else if (ItemIdIsNormal(PageGetItemId(page, offset)))
			reader->rows[reader->nrows++] = offset;
	}
}

static bool
next_page(SsdparStarState *state)
{
	SsdparStarPages *reader = state->reader;
	OffsetNumber offsets[MaxHeapTuplesPerPage];
	uint32		number;
	int			noffsets;

	if (BufferIsValid(reader->buffer))
		ReleaseBuffer(reader->buffer);
	reader->buffer = ssdpar_star_ahead_next(reader->ahead, &number);
	if (!BufferIsValid(reader->buffer))
		return false;
	reader->block = ssdpar_tid_pages_blocks(reader->pages)[number];
	reader->nrows = 0;
	reader->next_row = 0;
	noffsets = ssdpar_tid_pages_rows(reader->pages, number, offsets);
	reader->tests = noffsets >= 0 ? state->exact_tests : state->tests;
	heap_page_prune_opt(reader->rel, reader->buffer);
	LockBuffer(reader->buffer, BUFFER_LOCK_SHARE);
	ssdpar_check_old_snapshot(reader->snapshot, reader->rel,
							  BufferGetPage(reader->buffer));
	if (noffsets >= 0)
		find_named_rows(reader, offsets, noffsets);
	else
		find_all_rows(reader);
	LockBuffer(reader->buffer, BUFFER_LOCK_UNLOCK);
	return true;
}

/* The page's next row that may match something; false after the last one. */
static bool
next_of_page(SsdparStarPages *reader)
{
	Page		page = BufferGetPage(reader->buffer);
	int			next = ssdpar_star_tests_skip(reader->tests, page,
											  reader->rows, reader->next_row,
											  reader->nrows);
	ItemId		item;

	for (; reader->next_row < next; reader->next_row++)
		pgstat_count_heap_fetch(reader->rel);
	if (next == reader->nrows)
		return false;
	item = PageGetItemId(page, reader->rows[next]);
	reader->tuple.t_data = (HeapTupleHeader) PageGetItem(page, item);
	reader->tuple.t_len = ItemIdGetLength(item);
	ItemPointerSet(&reader->tuple.t_self, reader->block, reader->rows[next]);
	reader->next_row++;
	pgstat_count_heap_fetch(reader->rel);
	return true;
}

bool
ssdpar_star_pages_next(SsdparStarState *state, TupleTableSlot *slot,
					   SsdparStarTests **tests)
{
	SsdparStarPages *reader = state->reader;

	while (!BufferIsValid(reader->buffer) || !next_of_page(reader))
	{
		CHECK_FOR_INTERRUPTS();
		/* the slot must not keep the page pinned that is left now */
		ExecClearTuple(slot);
		if (!next_page(state))
			return false;
	}
	ExecStoreBufferHeapTuple(&reader->tuple, slot, reader->buffer);
	*tests = reader->tests;
	return true;
}
