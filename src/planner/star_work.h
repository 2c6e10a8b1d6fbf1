/*
 * star_work.h
 *		How much a star scan reads and computes, whatever that costs.
 */
#ifndef SSDPAR_STAR_WORK_H
#define SSDPAR_STAR_WORK_H

#include "nodes/pathnodes.h"

#include "planner/star_path.h"
#include "planner/star_reducers.h"

/*
 * One of the dimensions that reduce the table itself, with those below it: what
 * it adds to any star scan that it takes part in.
 */
typedef struct SsdparStarBranch
{
	const SsdparReducer *reducer;	/* the dimension's own */
	double		children_cost;	/* planner units */
	double		key_rows;		/* of the children */
	int			more_scans;		/* below them than one each, of partitions */
	bool		tested_first;	/* its keys, before the table's own filter */
	IndexOptInfo *index;		/* from its keys to the table's rows, or NULL */
	int			index_column;	/* which of the reducer's columns that is on */

	/* If that index is asked. */
	double		leaves;			/* pages read, in block order */
	double		tids;			/* found */
	double		area_share;		/* of the table's pages that rows may lie in */
	double		index_cost;		/* planner units; star_cost.c */
} SsdparStarBranch;

/* The branches that take part, and whose indexes are asked. */
typedef struct SsdparStarWay
{
	SsdparStarAccess access;
	const SsdparStarBranch *branches[SSDPAR_MAX_REDUCERS];
	bool		asks[SSDPAR_MAX_REDUCERS];
	int			nbranches;
} SsdparStarWay;

typedef struct SsdparStarWork
{
	double		key_rows;		/* of the children */
	double		children_cost;	/* planner units */
	int			more_scans;		/* below them than one each */
	double		index_cost;		/* planner units */
	double		pages;			/* of the table */
	double		rows_read;		/* on them, looked at */
	double		tests;			/* of a row against a key set */
	double		rows_filtered;	/* that the table's own filter sees */
	double		rows;			/* produced */
} SsdparStarWork;

/* Fill the branch of these parts, a dimension's alone; table: rel's OID. */
extern void ssdpar_star_branch(RelOptInfo *rel, Oid table,
							   const SsdparStarParts *parts,
							   SsdparStarBranch *branch);

/* Give the branch other children, of parts of the same dimension. */
extern void ssdpar_star_branch_children(const SsdparStarParts *parts,
										SsdparStarBranch *branch);

extern void ssdpar_star_work(RelOptInfo *rel, const SsdparStarWay *way,
							 SsdparStarWork *work);

#endif							/* SSDPAR_STAR_WORK_H */
