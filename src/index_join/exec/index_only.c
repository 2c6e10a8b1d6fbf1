/*
 * index_only.c
 *		Determines which rows of the inner table need not be fetched, because
 *		the index has all needed columns.
 *
 * The arguments are those of core's nodeIndexonlyscan.c:
 *
 *		An insertion clears the page's bit before it inserts its index tuple.
 *		We read the address under the leaf's lock, so we see the cleared bit,
 *		although the map is not locked.
 *		A deletion may be missed if it has not committed, or not for our
 *		snapshot; but then the row is visible to us.
 *		VACUUM sets a page's bit after it has removed the dead rows' index
 *		tuples, for which it waits until no leaf is pinned that may have been
 *		read with them.  The leaf is pinned while we check.
 *
 * The result stays valid for the snapshot, so a row may be returned after the
 * leaf has been unpinned.
 *
 * A serializable transaction does not miss a deletion either: it locks the
 * page and checks again.  A deletion before the lock has cleared the bit, so
 * the row is fetched from the table; a later one conflicts with the lock.
 * Core only locks.
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
