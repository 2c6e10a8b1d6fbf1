/*
 * foreign_paths.c
 *		Makes postgres_fdw replan a foreign table with more conditions.
 *
 * It is enough to add the condition to the table's own conditions.
 * postgres_fdw then decides whether to send it, writes the remote query, and
 * evaluates its parameters when a scan starts, even if an Append runs the scan
 * asynchronously. A custom path on top of the foreign path, or instead of it,
 * would have to do all that.
 *
 * So the table has no paths without the condition; offer.c decides beforehand
 * whether it pays off.
 *
 * The table's number of rows remains core's estimate, because core multiplies
 * it by join selectivities, which include the effect of the keys.  Only the
 * paths return fewer rows.
 */
#include "postgres.h"

#include "foreign/fdwapi.h"
#include "miscadmin.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/restrictinfo.h"

#include "base/compat.h"
#include "shards/plan/foreign_paths.h"
#include "star/star.h"

/*
 * Core cannot estimate keys that are not collected yet, and does not know that
 * they are looked up in a hash table rather than compared one by one.
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

/* All conditions together keep share, so we attribute it to the first one. */
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

/*
 * Known costs replace those of postgres_fdw, which are the same for all
 * servers.  We scale its costs, so that the differences between paths, such as
 * for sorting, remain.
 */
static void
price_again(RelOptInfo *rel, double kept, const SsdparShardCost *cost)
{
	const Path *plain = linitial(rel->pathlist);
	Cost		run = plain->total_cost - plain->startup_cost;
	double		times = cost->run > 0 && run > 0 ? cost->run / run : 1;
	ListCell   *lc;

	foreach(lc, rel->pathlist)
	{
		Path	   *path = lfirst(lc);

		/* a remote estimate does not include the keys either */
		path->rows = Min(path->rows, kept);
		path->total_cost = path->startup_cost + cost->send +
			(path->total_cost - path->startup_cost) * times;
		path->startup_cost += cost->send;
	}
}

void
ssdpar_plan_shard_again(PlannerInfo *root, const SsdparShard *shard,
						List *conditions, const SsdparShardCost *cost)
{
	RelOptInfo *rel = shard->rel;
	Oid			table = root->simple_rte_array[rel->relid]->relid;
	double		rows = rel->rows;
	double		tuples = rel->tuples;

	Assert(root->join_rel_list == NIL);
	add_conditions(root, rel, conditions, cost->share);
	rel->pathlist = NIL;
	rel->ppilist = NIL;
	rel->fdwroutine->GetForeignRelSize(root, rel, table);
	rel->rows = rows;
	rel->tuples = tuples;
	rel->fdwroutine->GetForeignPaths(root, rel, table);
	price_again(rel, clamp_row_est(rows * cost->share), cost);
	set_cheapest(rel);
}

/* Indexed by relid; NULL for relations that are not shards. */
typedef struct Again
{
	PlannerInfo *root;
	const SsdparShard **shards;
	const SsdparShardCost **costs;
	int			nshards;		/* there are at most as many places */
} Again;

static SsdparPlaced
placed(const Again *again, const Path *path)
{
	const SsdparShard *shard = again->shards[path->parent->relid];
	SsdparPlaced table = {.spent = {.there = path->total_cost}};

	if (shard == NULL)
		return table;
	table.place = shard->place;
	table.async = shard->async;
	table.spent.here = Min(again->costs[path->parent->relid]->here,
						   path->total_cost);
	table.spent.there -= table.spent.here;
	return table;
}

/*
 * The cost of an Append is the sum of its children, as if they ran one after
 * another, so replace that sum by the time of concurrent scans.
 */
static void
price_at_once(const Again *again, AppendPath *append)
{
	int			n = list_length(append->subpaths);
	SsdparPlaced *tables = palloc_array(SsdparPlaced, n);
	double	   *room = palloc_array(double, again->nshards);
	Cost		sum = 0;
	Cost		at_once;
	ListCell   *lc;

	foreach(lc, append->subpaths)
	{
		const Path *path = lfirst(lc);

		tables[foreach_current_index(lc)] = placed(again, path);
		sum += path->total_cost;
	}
	at_once = ssdpar_all_seconds(tables, n, room, again->nshards);
	append->path.total_cost = Max(append->path.total_cost - sum + at_once,
								  append->path.startup_cost);
	pfree(tables);
	pfree(room);
}

/*
 * Rebuilds the paths of a parent of foreign tables.  Such a parent is read in
 * one process and has no paths but appends.
 */
static bool
append_again(const Again *again, RelOptInfo *rel)
{
	List	   *parts;
	bool		changed = again->shards[rel->relid] != NULL;
	ListCell   *lc;

	check_stack_depth();
	if (!ssdpar_is_parent(again->root, rel))
		return changed;
	parts = ssdpar_live_partitions(again->root, rel);
	foreach(lc, parts)
		changed |= append_again(again, lfirst(lc));
	if (!changed)
		return false;
	Assert(again->root->join_rel_list == NIL && rel->partial_pathlist == NIL);
	rel->pathlist = NIL;
	add_paths_to_append_rel(again->root, rel, parts);
	foreach(lc, rel->pathlist)
	{
		if (IsA(lfirst(lc), AppendPath) &&
			((Path *) lfirst(lc))->pathkeys == NIL)
			price_at_once(again, lfirst(lc));
	}
	set_cheapest(rel);
	return true;
}

void
ssdpar_append_shards_again(PlannerInfo *root, RelOptInfo *fact,
						   const SsdparShard *shards,
						   const SsdparShardCost *costs, int nshards)
{
	int			size = root->simple_rel_array_size;
	Again		again = {
		.root = root,
		.shards = palloc0_array(const SsdparShard *, size),
		.costs = palloc0_array(const SsdparShardCost *, size),
		.nshards = nshards,
	};

	for (int i = 0; i < nshards; i++)
	{
		again.shards[shards[i].rel->relid] = &shards[i];
		again.costs[shards[i].rel->relid] = &costs[i];
	}
	(void) append_again(&again, fact);
}
