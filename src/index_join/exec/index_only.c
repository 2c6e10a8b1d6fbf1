/*
 * index_only.c
 *		Rows of the inner table that need not be looked at, since the index has
 *		all that is wanted of them.
 *
 * As in core's nodeIndexonlyscan.c, whose arguments hold here too:
 *
 *		An insertion clears the page's bit before it puts its row into the
 *		index.  The address was read under the leaf's lock, so the cleared bit
 *		is seen, though the map is not locked.
 *		A deletion may be missed as long as it has not committed, or has not for
 *		our snapshot; then the row is visible to us.
 *		VACUUM sets the bit of a page after it has taken the dead rows' entries
 *		out of the index, for which it waits until no leaf is pinned that may
 *		have been read with them.  The leaf is pinned while we look.
 *
 * What is seen once stays good for the snapshot: the row may be given out after
 * the leaf is let go.
 *
 * A serializable transaction does not miss a deletion either: it locks the page
 * and looks again.  One that came before the lock has cleared the bit, and is
 * met in the table; a later one meets the lock.  Core only locks.
 */
#include "postgres.h"

#include "access/visibilitymap.h"
#include "access/xact.h"
#include "storage/bufmgr.h"
#include "storage/predicate.h"

#include "index_join/exec/index_only.h"

bool
ssdpar_index_only_all_visible(SsdparIndexOnly *only,
							  const ItemPointerData *tid)
{
	BlockNumber block = ItemPointerGetBlockNumber(tid);

	if (!VM_ALL_VISIBLE(only->heap, block, &only->map))
		return false;
	if (!IsolationIsSerializable())
		return true;
	PredicateLockPage(only->heap, block, only->snapshot);
	return VM_ALL_VISIBLE(only->heap, block, &only->map);
}

void
ssdpar_index_only_release(SsdparIndexOnly *only)
{
	if (BufferIsValid(only->map))
		ReleaseBuffer(only->map);
	only->map = InvalidBuffer;
}
