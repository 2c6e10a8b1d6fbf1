/*
 * candidate.h
 *		The data structures of planning a star scan.
 *
 * A star scan passes through the planner in these steps:
 *
 *		dimension	SsdparDimension (star/semijoin.h): may reduce the fact, and
 *					by how much.  Found once per fact.
 *		estimate	what a dimension adds, at one table (the fact or one of its
 *					partitions), to any star scan that it takes part in.
 *					Computed once per table (estimate.c, reducers.c).
 *		candidate	some of the dimensions and an access method, with their
 *					workload and cost.  Some dozens are compared (search.c,
 *					cost.c).
 *		plan		SsdparStarPlan (starscan/star_plan.h): the executor's input,
 *					created from the best candidates (path.c).
 */
#ifndef SSDPAR_PLAN_CANDIDATE_H
#define SSDPAR_PLAN_CANDIDATE_H

#include "nodes/pathnodes.h"

#include "cost/tablespace_model.h"
#include "star/semijoin.h"
#include "starscan/star_plan.h"

/* A dimension that is joined directly with the table, and those below it. */
typedef struct SsdparEstimate
{
	const SsdparDimension *dimension;

	/*
	 * Its part of a plan: one child per reducer; the dimension's own comes
	 * last.
	 */
	SsdparReducer *reducers;
	int			nreducers;
	List	   *children;		/* Path */

	/* Cost of reading the children. */
	Cost		children_cost;
	Cost		children_cpu;	/* the part known to be computing */
	double		key_rows;
	double		more_scans;		/* scans of partitions below them, in excess
								 * of one each */

	/* The dimension's own keys at the table. */
	bool		tested_first;	/* before the table's qual */
	IndexOptInfo *index;		/* used to find rows by key, or NULL */
	int			index_column;	/* the reducer's column on which it is */

	/* Estimates for reading that index. */
	double		leaves;			/* pages, in block order */
	double		tids;			/* found */
	double		ordered;		/* to what degree it orders the table, 0 to 1 */
	double		area_share;		/* fraction of the table's pages that may
								 * contain rows */
	double		longest_run;	/* adjacent pages of one key */
	double		together;		/* rows of a key on a page that has any */
	Cost		index_cost;		/* of reading it, independent of workers */
} SsdparEstimate;

/* A set of a table's dimensions: bit i is dimension i. */
typedef uint32 SsdparDimensionSet;

#define SSDPAR_DIMENSION_BIT(i) ((SsdparDimensionSet) 1 << (i))

StaticAssertDecl(SSDPAR_MAX_REDUCERS < 32, "dimensions are bits of a word");

/* The table to be scanned, and the prices for its scans. */
typedef struct SsdparStarTable
{
	PlannerInfo *root;
	RelOptInfo *fact;
	RelOptInfo *rel;			/* the fact or a partition of it */
	Oid			oid;
	int			ndimensions;	/* number that reduce it directly */
	/* Never left out: their keys prune partitions, of which this is one. */
	SsdparDimensionSet kept;

	bool		modelled;		/* false: no profile, so costs are suitable
								 * only for comparing star scans with each
								 * other */
	SsdparModel model;
	SsdparResidency resident;
	double		random_page;	/* without a profile */
	double		sequential_page;

	/* The part of the table's qual that executes a subquery for each row. */
	List	   *late_filter;	/* RestrictInfos, in terms of the fact */
	Cost		late_cost;		/* per row */
	double		late_kept;		/* fraction of rows */
} SsdparStarTable;

typedef struct SsdparCandidate
{
	SsdparStarAccess access;
	int			workers;		/* 0: none, not parallel */
	double		processes;		/* sharing the work, as computed by core */
	const SsdparEstimate *estimates;	/* of all dimensions of the table */
	SsdparDimensionSet dimensions;	/* that take part */
	SsdparDimensionSet indexes; /* those whose index is read */

	/* Left out because that is cheaper, for EXPLAIN. */
	SsdparLeftOut *left_out;
	int			nleft_out;

	/* Workload: what all processes together read and compute (estimate.c). */
	double		key_rows;		/* of the children */
	Cost		children_cost;
	Cost		children_cpu;	/* the part known to be computing */
	double		more_scans;		/* in excess of one each */
	Cost		index_cost;
	double		pages;			/* of the table */
	double		area;			/* pages from which those of a bitmap are
								 * drawn */
	double		ordered;		/* to what degree it is due to order: 0 to 1 */
	double		longest_run;	/* in pages of the table */
	double		rows_read;		/* rows on these pages */
	double		tests;			/* lookups of a row in a key set */
	double		rows_filtered;	/* seen by the table's qual */
	double		rows_late;		/* seen by the late part of it */
	double		rows;			/* produced */
	double		kept;			/* as a fraction of the table's rows */
	double		early_pages;	/* may be requested before the keys are known;
								 * 0: one window */

	/* Cost, in planner units (cost.c). */
	Cost		startup;
	Cost		total;
	double		rows_each;		/* per process */
	Cost		score;			/* including the joins above; lower is better */
} SsdparCandidate;

#endif							/* SSDPAR_PLAN_CANDIDATE_H */
