/*
 * join_plan.c
 *		The plan of an index join as a list, in which a plan node keeps it.
 */
#include "postgres.h"

#include "index_join/join_plan.h"

enum
{
	TYPE,
	SINGLE_MATCH,
	INDEX,
	OUTER_COLUMNS,
	KEY_COLUMN,
};

List *
ssdpar_join_plan_to_list(const SsdparIndexJoinPlan *plan)
{
	return list_make5_int(plan->type, plan->single_match, (int) plan->index,
						  plan->outer_columns, plan->key_column);
}

SsdparIndexJoinPlan
ssdpar_join_plan_from_list(const List *list)
{
	SsdparIndexJoinPlan plan = {
		.type = list_nth_int(list, TYPE),
		.single_match = list_nth_int(list, SINGLE_MATCH) != 0,
		.index = (Oid) list_nth_int(list, INDEX),
		.outer_columns = list_nth_int(list, OUTER_COLUMNS),
		.key_column = list_nth_int(list, KEY_COLUMN),
	};

	Assert(plan.type == JOIN_INNER || plan.type == JOIN_LEFT ||
		   plan.type == JOIN_SEMI || plan.type == JOIN_ANTI);
	Assert(plan.key_column > 0 && plan.key_column <= plan.outer_columns);
	return plan;
}
