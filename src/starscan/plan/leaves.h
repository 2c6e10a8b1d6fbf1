/*
 * leaves.h
 *		The leaf tables of a partitioned fact.
 */
#ifndef SSDPAR_PLAN_LEAVES_H
#define SSDPAR_PLAN_LEAVES_H

#include "nodes/pathnodes.h"

#include "starscan/plan/candidate.h"

/* Values that bounds permit for a column, ascending; none: any value. */
typedef struct SsdparColumnRanges
{
	int			nranges;
	SsdparIntegerRange *ranges;
} SsdparColumnRanges;

/*
 * A leaf, with what is known of the columns by which each dimension is joined.
 */
typedef struct SsdparLeaf
{
	RelOptInfo *rel;
	bool		scannable;		/* can a star scan read it? */
	SsdparColumnRanges columns[SSDPAR_MAX_REDUCERS];
	SsdparDimensionSet sought;	/* whose index has been searched for */
	IndexOptInfo *indexes[SSDPAR_MAX_REDUCERS]; /* results of that; may be
												 * NULL */
} SsdparLeaf;

/*
 * Returns the leaves of fact that the query reads, including those of
 * partitions of partitions and of inheritance children, with what is known of
 * the columns by which these dimensions (SsdparDimension) are joined; a List
 * of SsdparLeaf.
 */
extern List *ssdpar_fact_leaves(PlannerInfo *root, RelOptInfo *fact,
								List *dimensions);

/* The attribute number that a column of fact has in one of its leaves. */
extern AttrNumber ssdpar_leaf_column(PlannerInfo *root, Index leaf, Index fact,
									 AttrNumber column);

#endif							/* SSDPAR_PLAN_LEAVES_H */
