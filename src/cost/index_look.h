/*
 * index_look.h
 *		Samples pages of an index to estimate a property of the whole index.
 */
#ifndef SSDPAR_INDEX_LOOK_H
#define SSDPAR_INDEX_LOOK_H

#include "common/pg_prng.h"
#include "nodes/pathnodes.h"
#include "utils/relcache.h"

/* Samples a btree that is readable (btree/btree_meta.h). */
typedef double (*SsdparIndexLook) (Relation index, pg_prng_state *random);

/*
 * The result of this sample, cached in the session, or unreadable if the index
 * is not a readable btree.  For many partitions, the mean of some of them.
 */
extern double ssdpar_index_look(PlannerInfo *root, const IndexOptInfo *info,
								SsdparIndexLook look, double unreadable);

/*
 * To be called when planning of a statement begins or ends, because partitions
 * differ between statements.
 */
extern void ssdpar_index_looks_forget(void);

#endif							/* SSDPAR_INDEX_LOOK_H */
