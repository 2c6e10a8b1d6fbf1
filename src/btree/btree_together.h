/*
 * btree_together.h
 *		Determines whether the rows of one key are on the same pages of the
 *		table.
 */
#ifndef SSDPAR_BTREE_TOGETHER_H
#define SSDPAR_BTREE_TOGETHER_H

#include "common/pg_prng.h"
#include "utils/relcache.h"

/*
 * Returns how many rows with the same value of the index's first column a page
 * of the table has, on average over some randomly chosen leaves.  Returns 1 if
 * each of them is on a different page or if nothing is known.  Reads at most
 * two leaves of one parent.  The index must be readable (btree_meta.h).
 */
extern double ssdpar_index_rows_together(Relation index,
										 pg_prng_state *random);

#endif							/* SSDPAR_BTREE_TOGETHER_H */
