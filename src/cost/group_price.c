/*
 * group_price.c
 *		What grouping by hashing or by sorting takes, in this machine's time.
 *
 * Core prices a row that is grouped by hashing by an operator a column,
 * however many groups there are.  It takes several (row_work.c), and where the
 * processor's caches do not hold the table, each row waits for its bucket and
 * its group, for the aggregates' states besides where these are not kept in
 * it, and each group once more when it is given out.  Four million rows of half
 * a million groups take a second by that, of which workers, and sorting, save
 * most.
 *
 * How many groups several columns make is core's guess, and often far too
 * high: columns tell of each other.  Sure are as many as the one with the most
 * values makes; so the price of hashing is theirs.
 *
 * Core keeps a way that sorts beside a cheaper one that hashes, since its
 * result has an order, and one in workers beside one without.  So most of what
 * is to be compared anew is there.  Grouping sets keep core's price.
 */
#include "postgres.h"

#include "executor/nodeAgg.h"
#include "miscadmin.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "utils/selfuncs.h"

#include "base/notes.h"
#include "base/planner_compat.h"
#include "base/settings.h"
#include "base/without.h"
#include "cost/group_price.h"
#include "cost/model.h"
#include "cost/row_work.h"
#include "cost/shared_processors.h"
#include "cost/tablespace_model.h"

/* What a price must differ from core's by: a time, and a share of the cost. */
#define LEAST_SECONDS 10e-3
#define LEAST_SHARE 0.05

typedef struct GroupCost
{
	Cost		startup;		/* part of the total */
	Cost		total;
} GroupCost;

/* As many groups as one column makes: that with the most values. */
static double
sure_groups(PlannerInfo *root, List *clauses, double rows)
{
	List	   *columns = get_sortgrouplist_exprs(clauses,
												  root->processed_tlist);
	double		most = 1.0;
	ListCell   *lc;

	/* of an expression core counts the values of its columns */
	foreach(lc, columns)
		if (IsA(lfirst(lc), Var))
			most = Max(most, estimate_num_groups(root,
												 list_make1(lfirst(lc)), rows,
												 NULL, NULL));
	return most;
}

/* Only what is stored of a row counts: no more than what comes out of it. */
static GroupCost
hash_cost(PlannerInfo *root, const SsdparMachine *machine,
		  const AggPath * path)
{
	const Path *input = path->subpath;
	Size		width = Min(path->path.pathtarget->width,
							input->pathtarget->width);
	double		bytes = hash_agg_entry_size(list_length(root->aggtransinfos),
											width, path->transitionSpace);
	SsdparGroupWork work = {
		.operator_seconds = cpu_operator_cost * machine->seconds_per_cost_unit,
		.rows = input->rows,
		.groups = path->numGroups,
		.has_states = path->transitionSpace > 0,
	};
	SsdparGroupSeconds seconds;
	GroupCost	cost;

	if (path->aggstrategy != AGG_HASHED)
		return (GroupCost) {0};
	/* no need to ask if all of them are in the cache */
	if (work.groups * bytes > machine->cache_bytes)
		work.groups = Min(work.groups, sure_groups(root, path->groupClause,
												   input->rows));
	work.bytes = Min(work.groups * bytes, (double) get_hash_memory_limit());
	seconds = ssdpar_group_seconds(machine, &work);
	cost.startup = ssdpar_model_units(machine, seconds.filling);
	cost.total = cost.startup + ssdpar_model_units(machine, seconds.giving);
	return cost;
}

/*
 * Core prices a group that is handed out by a tuple if it has aggregates; it is
 * copied without them as well.
 */
static GroupCost
giving_cost(double groups)
{
	return (GroupCost) {0.0, groups * cpu_tuple_cost};
}

/*
 * What a path takes in addition to core's price, and the one below it; NULL:
 * nothing, or unknown.
 */
static const Path *
own_cost(PlannerInfo *root, const SsdparMachine *machine,
		 const Path *path, GroupCost *cost)
{
	*cost = (GroupCost) {0};
	switch (nodeTag(path))
	{
		case T_AggPath:
			*cost = hash_cost(root, machine, (const AggPath *) path);
			return ((const AggPath *) path)->subpath;
		case T_GroupPath:
			*cost = giving_cost(path->rows);
			return ((const GroupPath *) path)->subpath;
		case SSDPAR_T_UNIQUE_PATH:
			*cost = giving_cost(path->rows);
			return ((const SsdparUniquePath *) path)->subpath;
		case T_SortPath:
		case T_IncrementalSortPath:
			return ((const SortPath *) path)->subpath;
		case T_GatherPath:
			return ((const GatherPath *) path)->subpath;
		case T_GatherMergePath:
			return ((const GatherMergePath *) path)->subpath;
		case T_ProjectionPath:
			return ((const ProjectionPath *) path)->subpath;
		default:
			return NULL;
	}
}

/*
 * Is the path one of this step, or a sort that core has put on the joined rows
 * for it?  Input that has been grouped has had its own turn, as has each
 * partition below an Append.
 */
static bool
is_of_step(const RelOptInfo *input, const Path *path)
{
	return path != NULL && (path->parent != input || !IS_UPPER_REL(input));
}

/* Does it change enough for paths to be made or compared again? */
static bool
matters(const SsdparMachine *machine, Cost longer, Cost whole)
{
	return longer * machine->seconds_per_cost_unit >= LEAST_SECONDS &&
		longer >= LEAST_SHARE * whole;
}

/*
 * Of all steps between input and the path: where workers group first, theirs
 * as well.
 */
static GroupCost
cost_above(PlannerInfo *root, const SsdparModel *model,
		   const RelOptInfo *input, const Path *whole)
{
	const Path *path = whole;
	GroupCost	sum = {0};
	bool		top = true;

	while (is_of_step(input, path))
	{
		double		slower = 1.0 +
			ssdpar_shared_slowdown(model, path->parallel_workers);
		GroupCost	cost;

		path = own_cost(root, model->machine, path, &cost);
		/* what is below has ended when the first row comes out, or nearly */
		if (!top)
			cost.startup = cost.total;
		sum.startup += slower * cost.startup;
		sum.total += slower * cost.total;
		top = false;
	}
	if (!matters(model->machine, sum.total, whole->total_cost))
		return (GroupCost) {0};
	return sum;
}

static void
add_priced(PlannerInfo *root, const SsdparModel *model,
		   const RelOptInfo *input, RelOptInfo *grouped, Path *path)
{
	GroupCost	cost = cost_above(root, model, input, path);

	path->startup_cost += cost.startup;
	path->total_cost += cost.total;
	add_path(grouped, path);
}

/* The groups that workers begin, as rows for a process to finish; or NULL. */
static Path *
begun_groups(const PlannerInfo *root, const RelOptInfo *grouped)
{
	ListCell   *lc;

	foreach(lc, root->upper_rels[UPPERREL_PARTIAL_GROUP_AGG])
	{
		const RelOptInfo *rel = lfirst(lc);

		if (bms_equal(rel->relids, grouped->relids) && rel->pathlist != NIL)
			return rel->cheapest_total_path;
	}
	return NULL;
}

/*
 * Workers that begin, and a process that hashes what they hand over: core has
 * dropped that if it was no cheaper than one process that hashes all, by its
 * own prices.
 */
static void
add_finished(PlannerInfo *root, const SsdparModel *model,
			 const RelOptInfo *input, RelOptInfo *grouped,
			 const AggPath * alone, const GroupPathExtraData * extra)
{
	Path	   *begun = begun_groups(root, grouped);
	AggPath    *path;

	if (begun == NULL || !extra->partial_costs_set)
		return;
	path = create_agg_path(root, grouped, begun, alone->path.pathtarget,
						   AGG_HASHED, AGGSPLIT_FINAL_DESERIAL,
						   alone->groupClause, alone->qual,
						   &extra->agg_final_costs, alone->numGroups);
	add_priced(root, model, input, grouped, (Path *) path);
}

/* Does it group all rows in one process by hashing? */
static bool
hashes_alone(Path *path)
{
	return IsA(path, AggPath) &&
		((AggPath *) path)->aggstrategy == AGG_HASHED &&
		((AggPath *) path)->aggsplit == AGGSPLIT_SIMPLE;
}

/* Takes those out of the list that get another price. */
static List *
take_repriced(PlannerInfo *root, const SsdparModel *model,
			  const RelOptInfo *input, RelOptInfo *grouped)
{
	List	   *repriced = NIL;
	ListCell   *lc;

	foreach(lc, grouped->pathlist)
	{
		Path	   *path = lfirst(lc);

		if (cost_above(root, model, input, path).total == 0.0)
			continue;
		repriced = lappend(repriced, path);
		grouped->pathlist = foreach_delete_current(grouped->pathlist, lc);
	}
	return repriced;
}

void
ssdpar_price_groups(PlannerInfo *root, const RelOptInfo *input,
					RelOptInfo *grouped, const void *extra)
{
	SsdparModel model;
	List	   *repriced;
	ListCell   *lc;

	if (!ssdpar_cost_model || ssdpar_without(SSDPAR_GROUP_PRICES) ||
		ssdpar_notes()->seconds_per_unit <= 0.0 ||
		!ssdpar_model_get(ssdpar_notes()->priced_tablespace, &model))
		return;
	repriced = take_repriced(root, &model, input, grouped);
	foreach(lc, repriced)
		if (extra != NULL && hashes_alone(lfirst(lc)))
			add_finished(root, &model, input, grouped, lfirst(lc),
						 extra);
	foreach(lc, repriced)
		add_priced(root, &model, input, grouped, lfirst(lc));
}
