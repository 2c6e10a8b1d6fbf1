/*
 * btree_together.h
 *		Do the rows of one key lie together on the table's pages?
 */
#ifndef SSDPAR_BTREE_TOGETHER_H
#define SSDPAR_BTREE_TOGETHER_H

#include "common/pg_prng.h"
#include "utils/relcache.h"

/*
 * How many rows with the same value of the index's first column a page of the
 * table has, on average over some leaves chosen by random: 1 where each lies on
 * a page of its own, or nothing is to be seen.  Reads at most two leaves of one
 * parent.  The index must be readable (btree_meta.h).
 */
extern double ssdpar_index_rows_together(Relation index,
										 pg_prng_state *random);

#endif							/* SSDPAR_BTREE_TOGETHER_H */
