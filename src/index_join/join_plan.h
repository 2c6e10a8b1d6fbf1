/*
 * join_plan.h
 *		What the index join's planner and its executor agree on.
 */
#ifndef SSDPAR_JOIN_PLAN_H
#define SSDPAR_JOIN_PLAN_H

#include "nodes/nodes.h"
#include "nodes/pg_list.h"

#include "keys/join_key.h"

/* Outer rows at a time: of more, each reads hardly fewer pages. */
#define SSDPAR_MOST_OUTER_ROWS (256 * 1024)

/*
 * The node's rows are the columns of the outer plan, in its order, and behind
 * them columns of the inner table: as many as custom_scan_tlist has, one at
 * least, so that the inner table's place in the range table can be told by it.
 * The first nunread of these are there for EXPLAIN alone: the index is searched
 * by them, and nothing is computed of them.
 *
 * custom_exprs are three lists: the conditions that the index is searched by,
 * which need not be computed again, those that a pair of rows is tested with,
 * and those keys that are no columns of the outer plan but constants or
 * parameters, in the order of the index's columns.
 */
typedef struct SsdparIndexJoinPlan
{
	JoinType	type;			/* JOIN_INNER, _LEFT, _SEMI or _ANTI */
	bool		single_match;	/* is an outer row's first partner enough? */
	Oid			index;			/* of the inner table */
	int			outer_columns;
	int			nunread;
	bool		index_only;		/* has the index all other columns? */
	int			first_batch;	/* outer rows, one at least */
	bool		any_order;		/* may pairs be tested in any order? */
	bool		streams;		/* are our rows the query's? */
	int			nkeys;			/* of the index's first columns */
	int			key_columns[SSDPAR_MAX_KEY_COLUMNS];	/* of the outer plan; 0:
														 * the next constant */
} SsdparIndexJoinPlan;

enum
{
	SSDPAR_JOIN_INDEX_CONDITION,
	SSDPAR_JOIN_FILTER,
	SSDPAR_JOIN_CONSTANTS,
};

/* As a list that can be copied, printed and read back, and out of it. */
extern List *ssdpar_join_plan_to_list(const SsdparIndexJoinPlan *plan);
extern SsdparIndexJoinPlan ssdpar_join_plan_from_list(const List *list);

#endif							/* SSDPAR_JOIN_PLAN_H */
