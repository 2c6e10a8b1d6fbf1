/*
 * btree_range.h
 *		Reads the leaves of a btree that conditions leave over, ahead of a scan
 *		of the server's.
 */
#ifndef SSDPAR_BTREE_RANGE_H
#define SSDPAR_BTREE_RANGE_H

#include "access/skey.h"

#include "prefetch/page_list.h"

/*
 * Has the leaves that a scan with these keys, as the executor has made them, is
 * going to read brought into shared buffers, many at once: as many as there
 * are, or most, those counted that are there already.  Nothing is done where
 * the keys do not bound the first column, or leave no range: a list, a
 * comparison of rows or with NULL.  Returns how many leaves were read.
 */
extern uint32 ssdpar_index_read_leaves(Relation index,
									   const ScanKeyData *keys, int nkeys,
									   SsdparPageMethod method, int depth,
									   uint32 most);

#endif							/* SSDPAR_BTREE_RANGE_H */
