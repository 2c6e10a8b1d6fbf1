/*
 * join_plan.h
 *		The interface between the index join's planner and its executor.
 */
#ifndef SSDPAR_JOIN_PLAN_H
#define SSDPAR_JOIN_PLAN_H

#include "nodes/nodes.h"
#include "nodes/pg_list.h"

#include "keys/join_key.h"

/* Outer rows per batch; larger batches would save hardly any reads. */
#define SSDPAR_MOST_OUTER_ROWS (256 * 1024)

/*
 * The node's rows are the columns of the outer plan, in its order, followed by
 * columns of the inner table.  custom_scan_tlist has at least one of these, so
 * that the inner table's range table entry can be found by it.  The first
 * nunread of them are only for EXPLAIN: they appear in the index condition,
 * and nothing is computed from them.
 *
 * custom_exprs has three lists: the index conditions, which need not be
 * evaluated again; the conditions on pairs of rows; and those keys that are
 * not columns of the outer plan but constants or parameters, in the order of
 * the index's columns.
 */
typedef struct SsdparIndexJoinPlan
{
	JoinType	type;			/* JOIN_INNER, _LEFT, _SEMI or _ANTI */
	bool		single_match;	/* does the first match of an outer row
								 * suffice? */
	Oid			index;			/* of the inner table */
	int			outer_columns;
	int			nunread;
	bool		index_only;		/* does the index have all other columns? */
	int			first_batch;	/* outer rows, at least one */
	bool		any_order;		/* may pairs be tested in any order? */
	bool		streams;		/* does it return the query's rows? */
	int			nkeys;			/* number of index columns used */
	int			key_columns[SSDPAR_MAX_KEY_COLUMNS];	/* of the outer plan; 0:
														 * the next constant */
} SsdparIndexJoinPlan;

enum
{
	SSDPAR_JOIN_INDEX_CONDITION,
	SSDPAR_JOIN_FILTER,
	SSDPAR_JOIN_CONSTANTS,
};

/* Converts to and from a List that can be copied, printed and read. */
extern List *ssdpar_join_plan_to_list(const SsdparIndexJoinPlan *plan);
extern SsdparIndexJoinPlan ssdpar_join_plan_from_list(const List *list);

#endif							/* SSDPAR_JOIN_PLAN_H */
