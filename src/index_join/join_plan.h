/*
 * join_plan.h
 *		What the index join's planner and its executor agree on.
 */
#ifndef SSDPAR_JOIN_PLAN_H
#define SSDPAR_JOIN_PLAN_H

#include "nodes/nodes.h"
#include "nodes/pg_list.h"

/*
 * The node's rows are the columns of the outer plan, in its order, and behind
 * them columns of the inner table: as many as custom_scan_tlist has.  The first
 * of these is the column that the index is searched by, so that the inner
 * table's place in the range table can be told by it.
 *
 * custom_exprs are two lists: the condition that the index is searched by,
 * which need not be computed again, and those that a pair of rows is tested
 * with.
 */
typedef struct SsdparIndexJoinPlan
{
	JoinType	type;			/* JOIN_INNER, _LEFT, _SEMI or _ANTI */
	bool		single_match;	/* is an outer row's first partner enough? */
	Oid			index;			/* of the inner table, searched by its first
								 * column */
	int			outer_columns;
	int			key_column;		/* of the outer plan, compared with it */
} SsdparIndexJoinPlan;

enum
{
	SSDPAR_JOIN_INDEX_CONDITION,
	SSDPAR_JOIN_FILTER,
};

/* As a list that can be copied, printed and read back, and out of it. */
extern List *ssdpar_join_plan_to_list(const SsdparIndexJoinPlan *plan);
extern SsdparIndexJoinPlan ssdpar_join_plan_from_list(const List *list);

#endif							/* SSDPAR_JOIN_PLAN_H */
