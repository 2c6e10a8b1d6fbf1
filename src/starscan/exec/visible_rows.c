/*
 * visible_rows.c
 *		Which rows of a page of the fact a snapshot sees.
 *
 * That is settled under the page's share lock, for all of its rows at once, as
 * core's sequential and bitmap heap scans do.  After that the lock is let go
 * and only the pin is kept: rows found visible cannot go away under a pin, as
 * pruning and vacuum need a cleanup lock to move or remove them.
 *
 * Where vacuum has noted that every snapshot sees the whole page, no row is
 * looked at.  Up to 16 core's sequential scan does even there, to ask of each
 * whether it conflicts with what another serializable transaction wrote.  Only
 * a serializable transaction has to ask, and for such a one we look at each
 * row, too.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/xact.h"
#include "storage/bufmgr.h"
#include "storage/predicate.h"

#include "base/compat.h"
#include "starscan/exec/visible_rows.h"

#ifdef USE_ASSERT_CHECKING

/*
 * Does this process hold the page's content lock?  A pin keeps rows in place,
 * but what visibility is read from (xmax, infomask, the row pointers' states)
 * writers change under the exclusive lock.  A temporary table's pages have no
 * lock, being seen by this process alone.
 */
static bool
is_locked(Buffer buffer)
{
	BufferDesc *descriptor;

	if (BufferIsLocal(buffer))
		return true;
	descriptor = GetBufferDescriptor(buffer - 1);
	return LWLockHeldByMe(BufferDescriptorGetContentLock(descriptor));
}

#endif							/* USE_ASSERT_CHECKING */

/*
 * Pruning comes first, as in core's scans: it needs a stronger lock, which it
 * only tries to get.
 */
static Page
lock_page(Relation rel, Snapshot snapshot, Buffer buffer)
{
	Page		page = BufferGetPage(buffer);

	Assert(rel->rd_tableam == GetHeapamTableAmRoutine());
	Assert(IsMVCCSnapshot(snapshot));
	ssdpar_prune_page(rel, buffer);
	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	ssdpar_check_old_snapshot(snapshot, rel, page);
	return page;
}

/*
 * A page whose rows every snapshot sees: what an index names there are rows,
 * none of which has another version.  As in core's sequential scan this is not
 * believed on a standby, where the page may be ahead of the snapshot, and a
 * serializable transaction has to mark what it reads row by row.
 */
static bool
all_visible(Snapshot snapshot, Buffer buffer)
{
	Assert(is_locked(buffer));
	return PageIsAllVisible(BufferGetPage(buffer)) &&
		!snapshot->takenDuringRecovery && !IsolationIsSerializable();
}

/* What a serializable transaction has to do for a row. */
static void
mark_as_read(Relation rel, Snapshot snapshot, Buffer buffer, HeapTuple tuple,
			 bool visible)
{
	if (visible)
		PredicateLockTID(rel, &tuple->t_self, snapshot,
						 HeapTupleHeaderGetXmin(tuple->t_data));
	HeapCheckForSerializableConflictOut(visible, rel, tuple, buffer, snapshot);
}

/*
 * Each row of the page looked at.  Whether rows have to be marked is asked once
 * a page, as core does since 17: for each row it takes 80 instructions, where
 * the look takes 100.
 */
static int
look_at_rows(Relation rel, Snapshot snapshot, Buffer buffer, OffsetNumber last,
			 OffsetNumber *rows)
{
	Page		page = BufferGetPage(buffer);
	BlockNumber block = BufferGetBlockNumber(buffer);
	bool		marks = CheckForSerializableConflictOutNeeded(rel, snapshot);
	int			nrows = 0;
	HeapTupleData tuple;

	Assert(is_locked(buffer));
	tuple.t_tableOid = RelationGetRelid(rel);
	for (OffsetNumber offset = FirstOffsetNumber; offset <= last; offset++)
	{
		ItemId		item = PageGetItemId(page, offset);
		bool		visible;

		if (!ItemIdIsNormal(item))
			continue;
		tuple.t_data = (HeapTupleHeader) PageGetItem(page, item);
		tuple.t_len = ItemIdGetLength(item);
		ItemPointerSet(&tuple.t_self, block, offset);
		visible = HeapTupleSatisfiesVisibility(&tuple, snapshot, buffer);
		if (marks)
			mark_as_read(rel, snapshot, buffer, &tuple, visible);
		rows[nrows] = offset;
		nrows += visible;
	}
	return nrows;
}

/* No branch in the loop over an all-visible page depends on what it holds. */
int
ssdpar_visible_rows(Relation rel, Snapshot snapshot, Buffer buffer,
					OffsetNumber *rows)
{
	Page		page = lock_page(rel, snapshot, buffer);
	OffsetNumber last = PageGetMaxOffsetNumber(page);
	int			nrows = 0;

	Assert(last <= MaxHeapTuplesPerPage);
	if (all_visible(snapshot, buffer))
	{
		for (OffsetNumber offset = FirstOffsetNumber; offset <= last; offset++)
		{
			rows[nrows] = offset;
			nrows += ItemIdIsNormal(PageGetItemId(page, offset));
		}
	}
	else
		nrows = look_at_rows(rel, snapshot, buffer, last, rows);
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	return nrows;
}

/*
 * Of an all-visible page.  A row pointer without its row is passed by: an
 * index row that was read before vacuum removed it may still name one.  None
 * was used anew since: its row would be newer than our snapshot, and no page
 * that has such a row is all-visible.
 */
static int
take_named(Page page, const OffsetNumber *named, int nnamed,
		   OffsetNumber *rows)
{
	OffsetNumber last = PageGetMaxOffsetNumber(page);
	int			nrows = 0;

	for (int i = 0; i < nnamed && named[i] <= last; i++)
	{
		ItemId		item = PageGetItemId(page, named[i]);
		OffsetNumber offset = named[i];

		if (ItemIdIsRedirected(item))
		{
			offset = ItemIdGetRedirect(item);
			item = PageGetItemId(page, offset);
		}
		if (ItemIdIsNormal(item))
			rows[nrows++] = offset;
	}
	return nrows;
}

int
ssdpar_visible_rows_named(Relation rel, Snapshot snapshot, Buffer buffer,
						  const OffsetNumber *named, int nnamed,
						  OffsetNumber *rows)
{
	Page		page = lock_page(rel, snapshot, buffer);
	int			nrows = 0;

	if (all_visible(snapshot, buffer))
		nrows = take_named(page, named, nnamed, rows);
	else
	{
		for (int i = 0; i < nnamed; i++)
		{
			ItemPointerData tid;
			HeapTupleData tuple;

			ItemPointerSet(&tid, BufferGetBlockNumber(buffer), named[i]);
			if (heap_hot_search_buffer(&tid, rel, buffer, snapshot, &tuple,
									   NULL, true))
				rows[nrows++] = ItemPointerGetOffsetNumber(&tid);
		}
	}
	LockBuffer(buffer, BUFFER_LOCK_UNLOCK);
	return nrows;
}
