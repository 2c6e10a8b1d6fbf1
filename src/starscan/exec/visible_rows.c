/*
 * visible_rows.c
 *		Finds the rows of a page of the fact that a snapshot sees.
 *
 * Like core's sequential and bitmap heap scans, this checks all rows of a page
 * at once while holding the page's share lock.  After that only the pin is
 * kept.  Pruning and vacuum need a cleanup lock to move or remove rows, so
 * visible rows stay in place while the page is pinned.
 *
 * If vacuum has marked the page all-visible, rows are not checked.  Up to
 * PostgreSQL 16, core's sequential scan visits each row even then, to check
 * for conflicts with writes of other serializable transactions.  Only
 * serializable transactions need this check, and for them we visit each row
 * too.
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
 * but writers change what visibility depends on (xmax, infomask, the states of
 * line pointers) under the exclusive lock.  Pages of temporary tables have no
 * lock, because only this process sees them.
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
 * Prunes first, as core's scans do, because pruning needs a stronger lock,
 * which it acquires only conditionally.
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
 * Does every snapshot see all rows of the page?  If so, the line pointers that
 * an index names are rows without other versions.
 *
 * As in core's sequential scan, the flag is not trusted on a standby, where
 * the page may be newer than the snapshot.  A serializable transaction has to
 * mark each row that it reads, so it cannot use the flag either.
 */
static bool
all_visible(Snapshot snapshot, Buffer buffer)
{
	Assert(is_locked(buffer));
	return PageIsAllVisible(BufferGetPage(buffer)) &&
		!snapshot->takenDuringRecovery && !IsolationIsSerializable();
}

/* Does for one row what a serializable transaction requires.  */
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
 * Checks each row of the page.  Whether rows have to be marked is determined
 * once for the page, as core does since PostgreSQL 17, because that check
 * costs nearly as much as the visibility check of a row.
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

/* The loop over an all-visible page has no data-dependent branch.  */
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
 * Takes the named rows of an all-visible page.  An index tuple that was read
 * before vacuum removed it may name a line pointer without a row; it is
 * skipped.  Such a line pointer cannot have been reused, because the new row
 * would be newer than our snapshot and the page would not be all-visible.
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
