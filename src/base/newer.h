/*
 * newer.h
 *		What the catalogs say and the transaction's snapshot does not see.
 */
#ifndef SSDPAR_NEWER_H
#define SSDPAR_NEWER_H

/*
 * Has the row of this key in a system cache been written since the active
 * snapshot was taken?  The catalogs are read as of now, and what was made
 * since, bounds of a partition for one, was tested on the rows of then: those
 * that had been deleted need not fulfil it, and the snapshot may see them.
 */
extern bool ssdpar_is_newer_than_snapshot(int cache, Oid key);

#endif							/* SSDPAR_NEWER_H */
