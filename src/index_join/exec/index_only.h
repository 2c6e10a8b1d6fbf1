/*
 * index_only.h
 *		Determines which rows of the inner table need not be fetched, because
 *		the index has all needed columns.
 */
#ifndef SSDPAR_JOIN_INDEX_ONLY_H
#define SSDPAR_JOIN_INDEX_ONLY_H

#include "access/itup.h"
#include "storage/buf.h"
#include "storage/itemptr.h"
#include "utils/relcache.h"
#include "utils/snapshot.h"

/* The current resource owner owns the pin.  */
typedef struct SsdparIndexOnly
{
	Relation	heap;
	Snapshot	snapshot;
	bool		wants_columns;	/* of the index, or only whether a row exists */
	Buffer		map;			/* last page of the visibility map, or none */
} SsdparIndexOnly;

/*
 * Is the row's page all-visible?  The leaf from which the address was read
 * must be pinned.  If so, the page is predicate-locked for serializable
 * transactions.
 */
extern bool ssdpar_index_only_all_visible(SsdparIndexOnly *only,
										  const ItemPointerData *tid);

/* Unpins the map.  */
extern void ssdpar_index_only_release(SsdparIndexOnly *only);

#endif							/* SSDPAR_JOIN_INDEX_ONLY_H */
