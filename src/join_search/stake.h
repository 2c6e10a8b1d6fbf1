/*
 * stake.h
 *		How much time a query level may take if its row counts are wrong.
 */
#ifndef SSDPAR_STAKE_H
#define SSDPAR_STAKE_H

#include "nodes/pathnodes.h"

/*
 * Seconds: rel, the result of the level's joins, is predicted to take so long
 * with the rows that core assumes.  0 where these are sure.
 */
extern double ssdpar_seconds_at_stake(PlannerInfo *root, RelOptInfo *rel,
									  double predicted_seconds);

#endif							/* SSDPAR_STAKE_H */
