/*
 * star_plan.h
 *		Contents of an SsdparStarScan plan node: the interface between the
 *		planner (starscan/plan/path.c) and the executor
 *		(starscan/exec/node.c).
 *
 * The node scans one table, the fact (scan.scanrelid), and returns those of
 * its rows that satisfy the node's quals and whose keys the reducers may
 * contain.  It may return more rows than these, but never fewer, because the
 * joins above check every key again.
 *
 * A reducer may be joined.  Then there is no join with its dimension above;
 * the node drops every row that has no partner, and appends columns of the
 * partner to the fact's.  In this case custom_scan_tlist describes the output:
 * all columns of the fact in their order, then those of each joined reducer,
 * in the order of the reducers.
 *
 * A reducer consists of a child plan, which reads a dimension, and the
 * equality of some of its output columns with columns of its target.  The
 * target is the fact, or the output of a later reducer's child (snowflake).
 * custom_plans contains the children in the order of the reducers; a reducer
 * always precedes its target.
 *
 * If the fact has partitions, SsdparStarKeys is above the scans of all of them
 * and has the children; its plan has the reducers for the fact as a whole.
 * The plan of a partition's scan is a part of that: only the differences
 * between partitions, as one list of integers, because there may be thousands
 * of them.
 */
#ifndef SSDPAR_STAR_PLAN_H
#define SSDPAR_STAR_PLAN_H

#include "miscadmin.h"
#include "nodes/nodes.h"
#include "nodes/pg_list.h"

#include "base/settings.h"
#include "keys/join_key.h"

#define SSDPAR_TARGET_FACT (-1)

/* Integers from first to last, both inclusive. */
typedef struct SsdparIntegerRange
{
	int64		first;
	int64		last;
} SsdparIntegerRange;

typedef struct SsdparReducer
{
	int			target;			/* SSDPAR_TARGET_FACT or index of a reducer */

	/*
	 * Target columns are those of the fact's row or of the target child's
	 * output; key columns are those of this child's output.
	 */
	SsdparJoinKey key;

	/*
	 * Access by bitmap: a btree of the fact whose first column is
	 * key.target_columns[index_column].  InvalidOid: rows are only tested. If
	 * reading it is not planned, it may be read anyway once the keys are
	 * known (starscan/exec/index_choice.c).
	 */
	Oid			index;
	int			index_column;
	bool		index_planned;
	bool		keys_wanted;	/* the keys, not only a set of their codes */
	Cost		leaf_cost;		/* of a leaf of the index, with its rows */
	double		ordered;		/* to what degree the fact is ordered by its
								 * first column, 0 to 1 */
	double		together;		/* rows of one of its keys on a page of the
								 * fact that has one, at least 1 */

	/*
	 * For a partition: the values that its bounds permit for the only target
	 * column, ascending.  None: any value.
	 */
	int			nranges;
	SsdparIntegerRange *ranges;

	/*
	 * Columns of the child's output to be joined; none: any partner suffices.
	 */
	bool		joined;
	int			njoined_columns;
	AttrNumber *joined_columns;

	Index		dimension;		/* range table index, for EXPLAIN */
	double		keys;			/* estimated distinct keys */
	double		selectivity;	/* estimated fraction of target rows kept */
	bool		looked_at;		/* selectivity is based on a look at its rows
								 * (star/key_look.h) */
} SsdparReducer;

/* A dimension that was considered and left out, for EXPLAIN. */
typedef struct SsdparLeftOut
{
	Index		dimension;
	double		cost;			/* with it, where the cost of the chosen plan
								 * is ... */
	double		chosen_cost;	/* ... this; both in planner units */
} SsdparLeftOut;

typedef struct SsdparStarPlan
{
	SsdparStarAccess access;	/* never SSDPAR_STAR_AUTO */

	/*
	 * Range table index of the fact as seen by the planner.  When the server
	 * builds one range table for all query levels, it moves all indexes of a
	 * level by the same amount, and corrects scan.scanrelid but not ours.
	 * From the difference of the two, EXPLAIN finds the dimensions.
	 */
	Index		fact;
	int			nreducers;
	SsdparReducer *reducers;
	int			nleft_out;
	SsdparLeftOut *left_out;
	double		pages;			/* estimated pages of the fact read */
	double		kept;			/* estimated fraction of its rows that all
								 * reducers together keep */
	double		early_pages;	/* of the fact, which may be requested before
								 * the keys are known; 0: one window */
	bool		kernel_ahead;	/* for sequential access, the kernel reads
								 * ahead, not the processes */
	bool		ring;			/* the pages of all partitions use one buffer
								 * ring per process */
	int			npriced;		/* for all partitions: number that were
								 * priced; each other one is like one of
								 * these; for EXPLAIN */

	/*
	 * For access by bitmap, to choose again once the keys are known; 0: no
	 * choice is possible.
	 */
	Cost		page_cost;		/* per page of the bitmap */
	double		most_pages;		/* above this, reading the whole fact is
								 * faster */
} SsdparStarPlan;

/*
 * Are that many pages of the fact read through a buffer ring, so that they do
 * not evict what others use?  Core's criterion for sequential scans.
 */
static inline bool
ssdpar_star_uses_ring(double pages)
{
	return pages > NBuffers / 4;
}

/* Conversion to and from copyable nodes: custom_private of the plan. */
extern List *ssdpar_star_plan_to_list(const SsdparStarPlan *plan);
extern SsdparStarPlan *ssdpar_star_plan_from_list(List *list);

/*
 * The same for a partition's scan, whose plan refers to the reducers of the
 * plan of all partitions.
 */
extern List *ssdpar_star_part_to_list(const SsdparStarPlan *part);
extern bool ssdpar_is_star_part(const List *list);
extern SsdparStarPlan *ssdpar_star_part_from_list(const List *list,
												  const SsdparStarPlan *all);

/* The access method, for a list of either kind. */
extern SsdparStarAccess ssdpar_star_access_of(const List *list);

#endif							/* SSDPAR_STAR_PLAN_H */
