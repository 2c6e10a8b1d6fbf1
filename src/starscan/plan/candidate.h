/*
 * candidate.h
 *		What the planning of a star scan is made of.
 *
 * The way of a star scan through the planner:
 *
 *		dimension	SsdparDimension (star/semijoin.h): may reduce the fact, and
 *					by how much.  Found once a fact.
 *		estimate	of a dimension at one table, the fact or a partition of it:
 *					what it adds to any star scan that it takes part in.
 *					Made once a table (estimate.c, reducers.c).
 *		candidate	some of the dimensions and an access, with their workload
 *					and cost.  Some dozens are compared (search.c, cost.c).
 *		plan		SsdparStarPlan (starscan/star_plan.h): what the executor
 *					gets.  Made of the best candidates (path.c).
 */
#ifndef SSDPAR_PLAN_CANDIDATE_H
#define SSDPAR_PLAN_CANDIDATE_H

#include "nodes/pathnodes.h"

#include "cost/tablespace_model.h"
#include "star/semijoin.h"
#include "starscan/star_plan.h"

/* A dimension joined with the table itself, with those below it. */
typedef struct SsdparEstimate
{
	const SsdparDimension *dimension;

	/* Its part of a plan: a child a reducer; its own comes last. */
	SsdparReducer *reducers;
	int			nreducers;
	List	   *children;		/* Path */

	/* Reading the children. */
	Cost		children_cost;
	Cost		children_cpu;	/* part of it that is known to be computing */
	double		key_rows;
	double		more_scans;		/* below them than one each, of partitions */

	/* Its own keys at the table. */
	bool		tested_first;	/* before the table's own filter */
	IndexOptInfo *index;		/* from them to rows, or NULL */
	int			index_column;	/* which of the reducer's columns that is on */

	/* If that index is read. */
	double		leaves;			/* pages, in block order */
	double		tids;			/* found */
	double		ordered;		/* how far the table is, by it: 0 to 1 */
	double		area_share;		/* of the table's pages that rows may lie in */
	double		longest_run;	/* pages of a key that lie side by side */
	double		together;		/* rows of a key on a page that has one */
	Cost		index_cost;		/* of all this, whatever the workers */
} SsdparEstimate;

/* A set of a table's dimensions: bit i is number i. */
typedef uint32 SsdparDimensionSet;

#define SSDPAR_DIMENSION_BIT(i) ((SsdparDimensionSet) 1 << (i))

StaticAssertDecl(SSDPAR_MAX_REDUCERS < 32, "dimensions are bits of a word");

/* A share of the fact's rows that was measured (kept_share.c). */
typedef struct SsdparMeasuredShare
{
	SsdparDimensionSet dimensions;	/* which all of them keep */
	double		share;
	double		found;			/* sample rows that share rests on */
	bool		exact;			/* it was counted */
} SsdparMeasuredShare;

/* The table that is to be scanned, and what its scans are priced with. */
typedef struct SsdparStarTable
{
	PlannerInfo *root;
	RelOptInfo *fact;
	RelOptInfo *rel;			/* the fact, or a partition of it */
	Oid			oid;
	int			ndimensions;	/* that reduce it directly */
	/* Never left out: their keys prune partitions, of which this is one. */
	SsdparDimensionSet kept;

	bool		modelled;		/* else there is no profile: costs are good
								 * for comparing star scans with each other
								 * only */
	SsdparModel model;
	SsdparResidency resident;
	double		random_page;	/* without a profile */
	double		sequential_page;

	/* Of the table's filter, what executes a subquery for a row. */
	List	   *late_filter;	/* RestrictInfo, as the fact has it */
	Cost		late_cost;		/* of a row */
	double		late_kept;		/* share of rows */

	SsdparMeasuredShare *measured;	/* those of more dimensions first */
	int			nmeasured;
} SsdparStarTable;

typedef struct SsdparCandidate
{
	SsdparStarAccess access;
	int			workers;		/* 0: none, not parallel */
	double		processes;		/* that share the work, as core counts them */
	const SsdparEstimate *estimates;	/* of all dimensions of the table */
	SsdparDimensionSet dimensions;	/* that take part */
	SsdparDimensionSet indexes; /* those of them whose index is read */

	/* Left out since that is cheaper, for EXPLAIN. */
	SsdparLeftOut *left_out;
	int			nleft_out;

	/* Workload: what all processes read and compute (estimate.c). */
	double		key_rows;		/* of the children */
	Cost		children_cost;
	Cost		children_cpu;	/* of it; as in the estimates */
	double		more_scans;		/* below them than one each */
	Cost		index_cost;
	double		pages;			/* of the table */
	double		area;			/* its pages that a bitmap's are drawn from */
	double		ordered;		/* how far that is by order: 0 to 1 */
	double		longest_run;	/* of its pages */
	double		rows_read;		/* on them, looked at */
	double		tests;			/* of a row against a key set */
	double		rows_filtered;	/* that the table's own filter sees */
	double		rows_late;		/* that the late part of it does */
	double		rows;			/* produced */
	double		kept;			/* share of the table's rows that is */
	double		early_pages;	/* may be asked for before the keys are known;
								 * 0: as many as a window has */
	SsdparDimensionSet measured;	/* of these that was measured */

	/* Cost, in planner units (cost.c). */
	Cost		startup;
	Cost		total;
	double		rows_each;		/* that one process produces */
	Cost		score;			/* the joins above included; lower is better */
} SsdparCandidate;

#endif							/* SSDPAR_PLAN_CANDIDATE_H */
