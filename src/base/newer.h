/*
 * newer.h
 *		Detects catalog rows that the active snapshot does not see.
 */
#ifndef SSDPAR_NEWER_H
#define SSDPAR_NEWER_H

/*
 * Has this row of a system cache been written since the active snapshot was
 * taken?  Catalogs are read in their current state.  A constraint added since,
 * such as the bounds of a partition, was checked only against rows that
 * existed then; rows deleted before need not satisfy it, and the snapshot may
 * still see them.
 */
extern bool ssdpar_is_newer_than_snapshot(int cache, Oid key);

#endif							/* SSDPAR_NEWER_H */
