/*
 * index_only.h
 *		Rows of the inner table that need not be looked at, since the index has
 *		all that is wanted of them.
 */
#ifndef SSDPAR_JOIN_INDEX_ONLY_H
#define SSDPAR_JOIN_INDEX_ONLY_H

#include "access/itup.h"
#include "storage/buf.h"
#include "storage/itemptr.h"
#include "utils/relcache.h"
#include "utils/snapshot.h"

/* The pinned page belongs to the current resource owner. */
typedef struct SsdparIndexOnly
{
	Relation	heap;
	Snapshot	snapshot;
	bool		wants_columns;	/* of the index; or just if there is a row */
	Buffer		map;			/* last page of the visibility map, or none */
} SsdparIndexOnly;

/*
 * Is the row visible to everyone?  To be asked while the leaf that the address
 * was read from is pinned.  If so, its page is locked for serializable
 * transactions.
 */
extern bool ssdpar_index_only_all_visible(SsdparIndexOnly *only,
										  const ItemPointerData *tid);

/* Let go of the map. */
extern void ssdpar_index_only_release(SsdparIndexOnly *only);

#endif							/* SSDPAR_JOIN_INDEX_ONLY_H */
