/*
 * semijoin.h
 *		Which relations of a query can reduce a large table, and by how much.
 */
#ifndef SSDPAR_SEMIJOIN_H
#define SSDPAR_SEMIJOIN_H

#include "nodes/pathnodes.h"

#include "star/refusal.h"

/*
 * Most dimensions, at all depths, that one fact is reduced by.  The search for
 * a plan (starscan/plan/search.c) takes up to the cube of their number.
 */
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
	List	   *below;			/* SsdparDimension, whose target this one is */
	Relids		relids;			/* of the dimension and of those below it */
	bool		complete;		/* these are all equalities between the two */
	double		keys;			/* distinct keys, after those below */
	double		selectivity;	/* share of the target's rows that is kept */
	bool		in_filter;		/* stands for a condition of the target's own
								 * (array_keys.h), which core has counted */
} SsdparDimension;

/*
 * The dimensions that provably may reduce fact, the most selective first, as
 * a List of SsdparDimension: none that would keep nearly all of it; those are
 * added to *keeping_all, if that is not NULL.  NIL if there is none, with
 * *refusal the reason, or SSDPAR_ACCEPTED where no one would expect one.
 */
extern List *ssdpar_find_dimensions(PlannerInfo *root, RelOptInfo *fact,
									SsdparRefusal *refusal,
									List **keeping_all);

/*
 * A plain column of rel as it comes out of its scan, if expr is one, maybe
 * labelled as another type of the same bytes; else NULL.  Any other cast makes
 * another value of it.
 */
extern Var *ssdpar_column_of(Node *expr, const RelOptInfo *rel);

/* For list_sort(): the most selective first. */
extern int	ssdpar_compare_dimensions(const ListCell *a, const ListCell *b);

/* The relids of these dimensions and of those below them. */
extern Relids ssdpar_dimension_relids(List *dimensions);

#endif							/* SSDPAR_SEMIJOIN_H */
