/*
 * foreign_paths.c
 *		Has postgres_fdw plan a foreign table again, with one more condition.
 *
 * A condition that stands among the table's own is all that is needed:
 * postgres_fdw decides on sending it, writes the remote query and gives the
 * parameters in it their values when a scan begins, also one that an Append
 * runs asynchronously.  A path of ours above or in place of the foreign one
 * would have to do all that.
 *
 * So the table has no paths without the condition; whether it is worth that is
 * settled before (offer.c).
 *
 * The table's number of rows stays as core has estimated it: core multiplies
 * it with what a join keeps, and that includes what the keys keep.  Only the
 * paths have fewer.
 */
#include "postgres.h"

#include "foreign/fdwapi.h"
#include "miscadmin.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/restrictinfo.h"

#include "shards/plan/foreign_paths.h"
#include "star/star.h"

/*
 * Core cannot know what keys keep that are not there yet, nor that they are
 * looked up in a hash table rather than compared one after another.
 */
static RestrictInfo *
make_condition(PlannerInfo *root, Expr *expr, double share)
{
	RestrictInfo *condition = make_simple_restrictinfo(root, expr);

	condition->norm_selec = share;
	condition->outer_selec = share;
	condition->eval_cost.startup = 0;
	condition->eval_cost.per_tuple = cpu_operator_cost;
	return condition;
}

/* All conditions together keep share: the first one is said to. */
static void
add_conditions(PlannerInfo *root, RelOptInfo *shard, List *conditions,
			   double share)
{
	List	   *all = list_copy(shard->baserestrictinfo);
	ListCell   *lc;

	foreach(lc, conditions)
		all = lappend(all, make_condition(root, lfirst(lc),
										  foreach_current_index(lc) == 0 ?
										  share : 1.0));
	shard->baserestrictinfo = all;
}

void
ssdpar_plan_shard_again(PlannerInfo *root, RelOptInfo *shard,
						List *conditions, double share, Cost send_cost)
{
	Oid			table = root->simple_rte_array[shard->relid]->relid;
	double		rows = shard->rows;
	double		tuples = shard->tuples;
	double		kept = clamp_row_est(rows * share);
	ListCell   *lc;

	Assert(root->join_rel_list == NIL);
	add_conditions(root, shard, conditions, share);
	shard->pathlist = NIL;
	shard->ppilist = NIL;
	shard->fdwroutine->GetForeignRelSize(root, shard, table);
	shard->rows = rows;
	shard->tuples = tuples;
	shard->fdwroutine->GetForeignPaths(root, shard, table);
	foreach(lc, shard->pathlist)
	{
		Path	   *path = lfirst(lc);

		/* another server that is asked for its estimate has no keys either */
		path->rows = Min(path->rows, kept);
		path->startup_cost += send_cost;
		path->total_cost += send_cost;
	}
	set_cheapest(shard);
}

/*
 * What a foreign table is part of is read by one process, and has no paths but
 * appends.
 */
bool
ssdpar_append_shards_again(PlannerInfo *root, RelOptInfo *fact, Relids shards)
{
	List	   *parts;
	bool		again = bms_is_member(fact->relid, shards);
	ListCell   *lc;

	check_stack_depth();
	if (!ssdpar_is_parent(root, fact))
		return again;
	parts = ssdpar_live_partitions(root, fact);
	foreach(lc, parts)
		again |= ssdpar_append_shards_again(root, lfirst(lc), shards);
	if (!again)
		return false;
	Assert(root->join_rel_list == NIL && fact->partial_pathlist == NIL);
	fact->pathlist = NIL;
	add_paths_to_append_rel(root, fact, parts);
	set_cheapest(fact);
	return true;
}
