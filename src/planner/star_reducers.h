/*
 * star_reducers.h
 *		Which relations of a query can reduce a large table, and by how much.
 */
#ifndef SSDPAR_STAR_REDUCERS_H
#define SSDPAR_STAR_REDUCERS_H

#include "nodes/pathnodes.h"

/* Most dimensions, at all depths, that one fact is reduced by. */
#define SSDPAR_MAX_REDUCERS 16

/*
 * A dimension and the equalities that join it with its target, the fact or
 * another dimension.  The four lists have one element a column, at most
 * SSDPAR_MAX_KEY_COLUMNS.
 */
typedef struct SsdparDimension
{
	RelOptInfo *rel;
	List	   *target_vars;	/* Var of the target */
	List	   *key_vars;		/* Var of the dimension */
	List	   *operators;		/* OID of target = key */
	List	   *collations;		/* OID */
	List	   *reducers;		/* SsdparDimension, whose target this one is */
	double		keys;			/* distinct keys, after its own reducers */
	double		selectivity;	/* share of the target's rows that is kept */
} SsdparDimension;

/*
 * The dimensions that provably may reduce fact, the most selective first, as
 * a List of SsdparDimension: none that would keep nearly all of it.  NIL if
 * there is none, with *reason a constant string that says why, or NULL where
 * nobody would expect one.
 */
extern List *ssdpar_find_reducers(PlannerInfo *root, RelOptInfo *fact,
								  const char **reason);

/* The relids of these dimensions and of those below them. */
extern Relids ssdpar_reducer_relids(List *dimensions);

#endif							/* SSDPAR_STAR_REDUCERS_H */
