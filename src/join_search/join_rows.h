/*
 * join_rows.h
 *		Puts measured row counts into join relations.
 */
#ifndef SSDPAR_JOIN_ROWS_H
#define SSDPAR_JOIN_ROWS_H

#include "nodes/pathnodes.h"

/*
 * Core has added the paths of a join relation that join these two.  True if its
 * rows were measured and are put right now: the paths have been made anew, and
 * set_join_pathlist_hook has been called for them.
 */
extern bool ssdpar_put_join_rows(PlannerInfo *root, RelOptInfo *joined,
								 RelOptInfo *outer, RelOptInfo *inner,
								 JoinType jointype,
								 JoinPathExtraData *extra);

#endif							/* SSDPAR_JOIN_ROWS_H */
