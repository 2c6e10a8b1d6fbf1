/*
 * index_look.h
 *		What some pages of an index tell of all of it.
 */
#ifndef SSDPAR_INDEX_LOOK_H
#define SSDPAR_INDEX_LOOK_H

#include "common/pg_prng.h"
#include "nodes/pathnodes.h"
#include "utils/relcache.h"

/* Looks at a btree that is readable (btree/btree_meta.h). */
typedef double (*SsdparIndexLook) (Relation index, pg_prng_state *random);

/*
 * What this look has found in this session; if it is no btree, or none that can
 * be read, the number given for that.  Of many partitions the mean of some.
 */
extern double ssdpar_index_look(PlannerInfo *root, const IndexOptInfo *info,
								SsdparIndexLook look, double unreadable);

/* Planning a statement begins or ends: another one has other partitions. */
extern void ssdpar_index_looks_forget(void);

#endif							/* SSDPAR_INDEX_LOOK_H */
