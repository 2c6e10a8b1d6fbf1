/*
 * group_price.c
 *		What grouping by hashing takes longer where no cache holds its table.
 *
 * Core prices a row that is grouped by hashing by an operator a column,
 * however many groups there are.  As in a hash join (hash_price.c) that is
 * right as long as the processor's caches hold the table.  Beyond, each row
 * waits for its bucket and its group, for the aggregates' states besides where
 * these are not kept in it, and each group once more when it is given out.
 * Four million rows of half a million groups take a second by that, of which
 * workers, and sorting, save most.
 *
 * How many groups several columns make is core's guess, and often far too
 * high: columns tell of each other.  Sure are as many as the one with the most
 * values makes; so the price is theirs.
 *
 * Core keeps a way that sorts beside a cheaper one that hashes, since its
 * result has an order, and one in workers beside one without.  So most of what
 * is to be compared anew is there.  Grouping sets keep core's price.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "executor/nodeAgg.h"
#include "miscadmin.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "utils/selfuncs.h"

#include "base/notes.h"
#include "base/settings.h"
#include "cost/group_price.h"
#include "cost/model.h"
#include "cost/tablespace_model.h"

/* What it has to take longer: a time, and a share of the path's cost. */
#define LEAST_SECONDS 10e-3
#define LEAST_SHARE 0.05

typedef struct GroupCost
{
	Cost		startup;		/* part of the total */
	Cost		total;
} GroupCost;

/* What a group has beside its bucket, as by core's hash_agg_entry_size(). */
static double
group_bytes(const PlannerInfo *root, int width, uint64 transition_space)
{
	return MAXALIGN(SizeofMinimalTupleHeader) + MAXALIGN(width) +
		list_length(root->aggtransinfos) * sizeof(AggStatePerGroupData) +
		(double) transition_space;
}

/* A table of so many groups, which as many rows as that are looked up in. */
static GroupCost
table_cost(const SsdparMachine *machine, double rows, double groups,
		   double bytes, bool has_states)
{
	double		buckets = groups * sizeof(TupleHashEntryData);
	double		entries = groups * bytes;
	double		share = Min((double) get_hash_memory_limit() /
							Max(buckets + entries, 1.0), 1.0);
	double		group = (has_states ? 2.0 : 1.0) *
		ssdpar_model_access_seconds(machine, entries * share);
	double		bucket = ssdpar_model_access_seconds(machine, buckets * share);
	GroupCost	cost;

	cost.startup = ssdpar_model_units(machine, rows * (bucket + group));
	cost.total = cost.startup + ssdpar_model_units(machine, groups * group);
	return cost;
}

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
aggregate_cost(PlannerInfo *root, const SsdparMachine *machine,
			   const AggPath * path)
{
	const Path *input = path->subpath;
	int			width = Min(path->path.pathtarget->width,
							input->pathtarget->width);
	double		bytes = group_bytes(root, width, path->transitionSpace);
	double		groups;

	if (path->aggstrategy != AGG_HASHED)
		return (GroupCost) {0};
	/* no need to ask: all of them are in the cache */
	if (path->numGroups * (bytes + sizeof(TupleHashEntryData)) <=
		machine->cache_bytes)
		return (GroupCost) {0};
	groups = Min(path->numGroups,
				 sure_groups(root, path->groupClause, input->rows));
	return table_cost(machine, input->rows, groups, bytes,
					  path->transitionSpace > 0);
}

/* What a path groups anew, and the one below it; NULL: nothing, or unknown. */
static const Path *
own_cost(PlannerInfo *root, const SsdparMachine *machine,
		 const Path *path, GroupCost *cost)
{
	*cost = (GroupCost) {0};
	switch (nodeTag(path))
	{
		case T_AggPath:
			*cost = aggregate_cost(root, machine, (const AggPath *) path);
			return ((const AggPath *) path)->subpath;
		case T_GroupPath:
			return ((const GroupPath *) path)->subpath;
		case T_UpperUniquePath:
			return ((const UpperUniquePath *) path)->subpath;
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
 * Of all steps between input and the path: where workers group first, theirs
 * as well.  Below an Append each partition has had its own turn.
 */
static GroupCost
cost_above(PlannerInfo *root, const SsdparMachine *machine,
		   const RelOptInfo *input, const Path *whole)
{
	const Path *path = whole;
	GroupCost	sum = {0};
	bool		top = true;

	while (path != NULL && path->parent != input)
	{
		GroupCost	cost;

		path = own_cost(root, machine, path, &cost);
		/* what is below has ended when the first row comes out, or nearly */
		if (!top)
			cost.startup = cost.total;
		sum.startup += cost.startup;
		sum.total += cost.total;
		top = false;
	}
	if (sum.total * machine->seconds_per_cost_unit < LEAST_SECONDS ||
		sum.total < LEAST_SHARE * whole->total_cost)
		return (GroupCost) {0};
	return sum;
}

static void
add_priced(PlannerInfo *root, const SsdparMachine *machine,
		   const RelOptInfo *input, RelOptInfo *grouped, Path *path)
{
	GroupCost	cost = cost_above(root, machine, input, path);

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
add_finished(PlannerInfo *root, const SsdparMachine *machine,
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
	add_priced(root, machine, input, grouped, (Path *) path);
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
take_dearer(PlannerInfo *root, const SsdparMachine *machine,
			const RelOptInfo *input, RelOptInfo *grouped)
{
	List	   *dearer = NIL;
	ListCell   *lc;

	foreach(lc, grouped->pathlist)
	{
		Path	   *path = lfirst(lc);

		if (cost_above(root, machine, input, path).total <= 0.0)
			continue;
		dearer = lappend(dearer, path);
		grouped->pathlist = foreach_delete_current(grouped->pathlist, lc);
	}
	return dearer;
}

void
ssdpar_price_groups(PlannerInfo *root, const RelOptInfo *input,
					RelOptInfo *grouped, const void *extra)
{
	SsdparModel model;
	List	   *dearer;
	ListCell   *lc;

	if (!ssdpar_cost_model || ssdpar_notes()->seconds_per_unit <= 0.0 ||
		!ssdpar_model_get(ssdpar_notes()->priced_tablespace, &model))
		return;
	dearer = take_dearer(root, model.machine, input, grouped);
	foreach(lc, dearer)
		if (extra != NULL && hashes_alone(lfirst(lc)))
			add_finished(root, model.machine, input, grouped, lfirst(lc),
						 extra);
	foreach(lc, dearer)
		add_priced(root, model.machine, input, grouped, lfirst(lc));
}
