/*
 * sorted_rows.h
 *		A level's joined rows in the order that is wanted of them, sorted at
 *		this machine's price.
 */
#ifndef SSDPAR_SORTED_ROWS_H
#define SSDPAR_SORTED_ROWS_H

#include "nodes/pathnodes.h"

/*
 * All paths of rel are there.  If it is all that the level reads, offer its
 * rows sorted, in one process and in workers, where core's price for that is
 * too high by so much that it matters.
 */
extern void ssdpar_offer_sorted_rows(PlannerInfo *root, RelOptInfo *rel);

#endif							/* SSDPAR_SORTED_ROWS_H */
