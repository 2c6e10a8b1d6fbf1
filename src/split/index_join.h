/*
 * index_join.h
 *		Estimates what an index join from a dimension to the fact would read.
 */
#ifndef SSDPAR_INDEX_JOIN_H
#define SSDPAR_INDEX_JOIN_H

#include "nodes/pathnodes.h"

/* An index scan of the fact, driven by the rows of one dimension.  */
typedef struct SsdparIndexJoin
{
	RelOptInfo *dimension;		/* drives the join */
	IndexOptInfo *index;		/* of the fact */
	double		lookups;		/* one for each row of the dimension */
	double		rows;			/* of the fact that are fetched */
	double		index_pages;
	double		fact_pages;
	Cost		unsplit_cost;	/* of the cheapest such join in one process */
} SsdparIndexJoin;

/*
 * Fills *join with the index join from dimension that fetches the fewest rows.
 * Returns false if no index of the fact takes its keys from this dimension
 * alone.
 */
extern bool ssdpar_find_index_join(PlannerInfo *root, RelOptInfo *fact,
								   RelOptInfo *dimension,
								   SsdparIndexJoin *join);

#endif							/* SSDPAR_INDEX_JOIN_H */
