/*
 * star_plan.h
 *		What an SsdparStarScan plan node holds: the agreement between the
 *		planner (starscan/plan/path.c) and the executor (starscan/exec/node.c).
 *
 * The node scans one table, the fact (scan.scanrelid), and produces those of
 * its rows that satisfy the node's quals and whose keys the reducers may
 * contain.  It may produce more than those, never less: the joins above check
 * every key again.
 *
 * A reducer may be joined: then there is no join with its dimension above, the
 * node drops every row that has no partner, and puts columns of the partner
 * beside the fact's.  What it produces is then described by custom_scan_tlist:
 * all columns of the fact in their order, then those of each joined reducer,
 * in the order of the reducers.
 *
 * A reducer is a child plan, reading a dimension, and the equality of some of
 * its output columns with columns of its target: the fact, or the output of a
 * later reducer's child (snowflake).  custom_plans holds the children in the
 * order of the reducers; a reducer always stands before its target.
 *
 * Where the fact has partitions, SsdparStarKeys stands above the scans of them
 * all and has the children: its plan has the reducers as they are to the fact.
 * The plan of a partition's scan is a part of that: only what differs from
 * partition to partition, written as one list of integers, as there may be
 * thousands of them.
 */
#ifndef SSDPAR_STAR_PLAN_H
#define SSDPAR_STAR_PLAN_H

#include "miscadmin.h"
#include "nodes/nodes.h"
#include "nodes/pg_list.h"

#include "base/settings.h"
#include "keys/join_key.h"

#define SSDPAR_TARGET_FACT (-1)

/* Integers from first to last, both included. */
typedef struct SsdparIntegerRange
{
	int64		first;
	int64		last;
} SsdparIntegerRange;

typedef struct SsdparReducer
{
	int			target;			/* SSDPAR_TARGET_FACT or number of a reducer */

	/*
	 * Target columns are those of the fact's row, or of the target child's
	 * output; key columns those of the child's own output.
	 */
	SsdparJoinKey key;

	/*
	 * Access by bitmap: a btree of the fact whose first column is
	 * key.target_columns[index_column].  InvalidOid: rows are only tested.
	 * One that is not planned to be read may be read all the same, once the
	 * keys are known (starscan/exec/index_choice.c).
	 */
	Oid			index;
	int			index_column;
	bool		index_planned;
	bool		keys_wanted;	/* themselves, not just a set of their codes */
	Cost		leaf_cost;		/* of a leaf of it, with its rows */
	double		ordered;		/* how far the fact is, by its first column, 0
								 * to 1 */
	double		together;		/* rows of one of its keys on a page of the
								 * fact that has one, 1 or more */

	/*
	 * Of a partition: the values that its bounds let the one target column
	 * have, ascending.  None: any.
	 */
	int			nranges;
	SsdparIntegerRange *ranges;

	/* Columns of the child's output that ride along; none: any partner does. */
	bool		joined;
	int			njoined_columns;
	AttrNumber *joined_columns;

	Index		dimension;		/* range table index, for EXPLAIN */
	double		keys;			/* estimated distinct keys */
	double		selectivity;	/* estimated fraction of target rows kept */
	bool		measured;		/* the plan's kept rests on a measurement that
								 * this one took part in */
} SsdparReducer;

/* A dimension that was considered and left out, for EXPLAIN. */
typedef struct SsdparLeftOut
{
	Index		dimension;
	double		cost;			/* with it, where the chosen plan's is ... */
	double		chosen_cost;	/* ... this; both in planner units */
} SsdparLeftOut;

typedef struct SsdparStarPlan
{
	SsdparStarAccess access;	/* never SSDPAR_STAR_AUTO */

	/*
	 * Range table index of the fact as the planner saw it.  The server moves
	 * all indexes of one query level by the same amount when it makes one
	 * range table of all levels, and corrects scan.scanrelid but not ours:
	 * the difference of the two tells EXPLAIN where the dimensions are.
	 */
	Index		fact;
	int			nreducers;
	SsdparReducer *reducers;
	int			nleft_out;
	SsdparLeftOut *left_out;
	double		pages;			/* estimated pages of the fact read */
	double		kept;			/* estimated fraction of its rows that all
								 * reducers keep together */
	double		early_pages;	/* of the fact that may be asked for before
								 * the keys are known; 0: a window */
	bool		kernel_ahead;	/* read in sequence, it is the kernel that
								 * reads ahead of the processes */
	bool		ring;			/* the pages of all partitions go through one
								 * ring of buffers in each process */
	int			npriced;		/* of all partitions: these were priced, the
								 * others are like one of them; for EXPLAIN */

	/*
	 * By bitmap, for choosing anew once the keys are known; 0: nothing to
	 * choose by.
	 */
	Cost		page_cost;		/* of a page of the bitmap */
	double		most_pages;		/* with more of them all of the fact is read
								 * faster */
} SsdparStarPlan;

/*
 * Are that many of the fact's pages read through a ring of buffers, so that
 * they do not push out what others use?  Core's measure for sequential scans.
 */
static inline bool
ssdpar_star_uses_ring(double pages)
{
	return pages > NBuffers / 4;
}

/* To and from nodes that can be copied: custom_private of the plan. */
extern List *ssdpar_star_plan_to_list(const SsdparStarPlan *plan);
extern SsdparStarPlan *ssdpar_star_plan_from_list(List *list);

/*
 * The same of a partition's scan, whose plan has the reducers of another, which
 * is that of all partitions.
 */
extern List *ssdpar_star_part_to_list(const SsdparStarPlan *part);
extern bool ssdpar_is_star_part(const List *list);
extern SsdparStarPlan *ssdpar_star_part_from_list(const List *list,
												  const SsdparStarPlan *all);

/* How the fact is read, of a list of either kind. */
extern SsdparStarAccess ssdpar_star_access_of(const List *list);

#endif							/* SSDPAR_STAR_PLAN_H */
