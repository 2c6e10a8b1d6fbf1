/*
 * join_plan.c
 *		Converts the plan of an index join to a List, in which a plan node can
 *		store it.
 */
#include "postgres.h"

#include "index_join/join_plan.h"

enum
{
	TYPE,
	SINGLE_MATCH,
	INDEX,
	OUTER_COLUMNS,
	UNREAD,
	INDEX_ONLY,
	FIRST_BATCH,
	ANY_ORDER,
	STREAMS,
	KEY_COLUMNS,				/* one entry per key */
};

List *
ssdpar_join_plan_to_list(const SsdparIndexJoinPlan *plan)
{
	List	   *list = list_make5_int(plan->type, plan->single_match,
									  (int) plan->index, plan->outer_columns,
									  plan->nunread);

	list = lappend_int(list, plan->index_only);
	list = lappend_int(list, plan->first_batch);
	list = lappend_int(list, plan->any_order);
	list = lappend_int(list, plan->streams);
	for (int i = 0; i < plan->nkeys; i++)
		list = lappend_int(list, plan->key_columns[i]);
	return list;
}

SsdparIndexJoinPlan
ssdpar_join_plan_from_list(const List *list)
{
	SsdparIndexJoinPlan plan = {
		.type = list_nth_int(list, TYPE),
		.single_match = list_nth_int(list, SINGLE_MATCH) != 0,
		.index = (Oid) list_nth_int(list, INDEX),
		.outer_columns = list_nth_int(list, OUTER_COLUMNS),
		.nunread = list_nth_int(list, UNREAD),
		.index_only = list_nth_int(list, INDEX_ONLY) != 0,
		.first_batch = list_nth_int(list, FIRST_BATCH),
		.any_order = list_nth_int(list, ANY_ORDER) != 0,
		.streams = list_nth_int(list, STREAMS) != 0,
		.nkeys = list_length(list) - KEY_COLUMNS,
	};

	Assert(plan.type == JOIN_INNER || plan.type == JOIN_LEFT ||
		   plan.type == JOIN_SEMI || plan.type == JOIN_ANTI);
	Assert(plan.first_batch >= 1);
	Assert(plan.nkeys >= 1 && plan.nkeys <= SSDPAR_MAX_KEY_COLUMNS);
	for (int i = 0; i < plan.nkeys; i++)
	{
		plan.key_columns[i] = list_nth_int(list, KEY_COLUMNS + i);
		Assert(plan.key_columns[i] >= 0 &&
			   plan.key_columns[i] <= plan.outer_columns);
	}
	return plan;
}
