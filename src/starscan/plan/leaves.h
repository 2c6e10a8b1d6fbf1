/*
 * leaves.h
 *		The tables that a partitioned fact consists of.
 */
#ifndef SSDPAR_PLAN_LEAVES_H
#define SSDPAR_PLAN_LEAVES_H

#include "nodes/pathnodes.h"

#include "starscan/plan/candidate.h"

/* The values that bounds let a column have, ascending; none: any. */
typedef struct SsdparColumnRanges
{
	int			nranges;
	SsdparIntegerRange *ranges;
} SsdparColumnRanges;

/* Of each dimension: what is known of the columns that it is joined by. */
typedef struct SsdparLeaf
{
	RelOptInfo *rel;
	bool		scannable;		/* by a star scan */
	SsdparColumnRanges columns[SSDPAR_MAX_REDUCERS];
	SsdparDimensionSet sought;	/* whose index has been looked for */
	IndexOptInfo *indexes[SSDPAR_MAX_REDUCERS]; /* by then; or NULL */
} SsdparLeaf;

/*
 * The leaves of fact that the query reads, those of partitions of partitions
 * and of children too, with what is known of the columns by which these
 * dimensions (SsdparDimension) are joined; a List of SsdparLeaf.
 */
extern List *ssdpar_fact_leaves(PlannerInfo *root, RelOptInfo *fact,
								List *dimensions);

/* The number that a column of fact has in a part of it. */
extern AttrNumber ssdpar_leaf_column(PlannerInfo *root, Index leaf, Index fact,
									 AttrNumber column);

#endif							/* SSDPAR_PLAN_LEAVES_H */
