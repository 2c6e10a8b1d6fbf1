/*
 * btree_range.h
 *		Reads the leaves of a btree that satisfy conditions, before a scan of
 *		the server reads them.
 */
#ifndef SSDPAR_BTREE_RANGE_H
#define SSDPAR_BTREE_RANGE_H

#include "access/skey.h"

#include "prefetch/page_list.h"

/*
 * Reads the leaves that a scan with these executor-made keys will read into
 * shared buffers, with many requests at once.  Stops after most leaves,
 * including those that are already in shared buffers.  Does nothing if the
 * keys do not bound the first column or do not define a range (a list, a row
 * comparison, or a comparison with NULL).  Returns the number of leaves read.
 */
extern uint32 ssdpar_index_read_leaves(Relation index,
									   const ScanKeyData *keys, int nkeys,
									   SsdparPageMethod method, int depth,
									   uint32 most);

#endif							/* SSDPAR_BTREE_RANGE_H */
