/*
 * key_look.h
 *		How much of a target a dimension keeps, by a look at its rows.
 */
#ifndef SSDPAR_KEY_LOOK_H
#define SSDPAR_KEY_LOOK_H

#include "nodes/pathnodes.h"

/* The rows of rel, whose key is unique, that pass its own filter. */
typedef struct SsdparKeyLook
{
	double		keys;			/* how many; below 0: not counted */
	double		kept;			/* share of the target's rows that has one */
} SsdparKeyLook;

/*
 * Look at rel, which is a dimension of a target whose column is compared with
 * key, for at most *budget, a cost; what it takes is subtracted.  False if
 * there was no look.
 */
extern bool ssdpar_look_at_keys(PlannerInfo *root, RelOptInfo *rel,
								Var *target, Var *key, Oid operator,
								Cost *budget, SsdparKeyLook *look);

#endif							/* SSDPAR_KEY_LOOK_H */
