/*
 * star_work.h
 *		How much a star scan reads and computes, whatever that costs.
 */
#ifndef SSDPAR_STAR_WORK_H
#define SSDPAR_STAR_WORK_H

#include "nodes/pathnodes.h"

#include "planner/star_path.h"
#include "planner/star_reducers.h"

/* What one index is asked for. */
typedef struct SsdparIndexWork
{
	IndexOptInfo *index;
	double		leaves;			/* pages read, in block order */
	double		tids;			/* found */
} SsdparIndexWork;

typedef struct SsdparStarWork
{
	int			nindexes;
	SsdparIndexWork indexes[SSDPAR_MAX_REDUCERS];
	double		key_rows;		/* of the children */
	double		children_cost;	/* planner units */
	double		pages;			/* of the table */
	double		rows_read;		/* on them, looked at */
	double		tests;			/* of a row against a key set */
	double		rows;			/* produced */
} SsdparStarWork;

/* table: the relation's OID. */
extern void ssdpar_star_work(RelOptInfo *rel, Oid table,
							 const SsdparStarParts *parts,
							 SsdparStarWork *work);

#endif							/* SSDPAR_STAR_WORK_H */
