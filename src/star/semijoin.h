/*
 * semijoin.h
 *		Finds the relations of a query that can reduce a large table, and by
 *		how much.
 */
#ifndef SSDPAR_SEMIJOIN_H
#define SSDPAR_SEMIJOIN_H

#include "nodes/pathnodes.h"

#include "star/refusal.h"

/*
 * Maximum number of dimensions, at all depths, that reduce one fact.  The time
 * to search for a plan (starscan/plan/search.c) grows up to the cube of their
 * number.
 */
#define SSDPAR_MAX_REDUCERS 16

/*
 * A dimension and the equalities that join it with its target, which is the
 * fact or another dimension.  The four lists have one element for each column,
 * at most SSDPAR_MAX_KEY_COLUMNS.
 */
typedef struct SsdparDimension
{
	RelOptInfo *rel;
	List	   *target_vars;	/* Var of the target */
	List	   *key_vars;		/* Var of the dimension */
	List	   *operators;		/* OID of target = key */
	List	   *collations;		/* OID */
	List	   *below;			/* SsdparDimension with this one as target */
	Relids		relids;			/* of the dimension and those below it */
	bool		complete;		/* these are all equalities of the two */
	double		keys;			/* distinct keys, after those below */
	double		selectivity;	/* share of the target's rows kept */
	bool		looked_at;		/* its rows were looked at (key_look.h) */
	bool		in_filter;		/* represents a condition of the target
								 * (array_keys.h), which core's estimates
								 * include */
} SsdparDimension;

/*
 * Returns the dimensions that provably may reduce fact, as a List of
 * SsdparDimension, the most selective first.  Dimensions that would keep
 * nearly all rows are not included, but added to *keeping_all if that is not
 * NULL.  If the list is NIL, *refusal is the reason, or SSDPAR_ACCEPTED if no
 * dimension would be expected.
 */
extern List *ssdpar_find_dimensions(PlannerInfo *root, RelOptInfo *fact,
									SsdparRefusal *refusal,
									List **keeping_all);

/*
 * Returns expr if it is a plain column of rel's scan, maybe relabeled as
 * another type with the same bytes; else NULL.  Any other cast changes the
 * value.
 */
extern Var *ssdpar_column_of(Node *expr, const RelOptInfo *rel);

/* For list_sort(): the most selective first.  */
extern int	ssdpar_compare_dimensions(const ListCell *a, const ListCell *b);

/* Returns the relids of these dimensions and those below them.  */
extern Relids ssdpar_dimension_relids(List *dimensions);

#endif							/* SSDPAR_SEMIJOIN_H */
