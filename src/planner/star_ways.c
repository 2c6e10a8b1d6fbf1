/*
 * star_ways.c
 *		Chooses among the ways to read one table by a star scan: by which
 *		access, through which indexes, reduced by which dimensions.
 *
 * All dimensions to begin with.  By bitmap the index is taken that is the best
 * alone, then the best one besides it, and so on for as long as that pays; a
 * dimension whose index is not used only tests rows.  Then dimensions that cost
 * more than they save are left out, the least selective first.  Not every
 * combination is looked at: with 4 useful dimensions about 40 are, so what they
 * have in common is found out before: a dimension's children, the index that its
 * keys lead to, and what that costs.
 *
 * A forced access (ssdpar.star_access) leaves no dimension out.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/paths.h"

#include "compat.h"
#include "planner/planning.h"
#include "planner/star_cost.h"
#include "planner/star_enter.h"
#include "planner/star_path.h"
#include "planner/star_reducers.h"
#include "planner/star_ways.h"
#include "planner/star_work.h"
#include "settings.h"

/* By bitmap, and sequentially. */
#define ACCESSES 2

/* The dimensions of a table, made ready to be put together. */
typedef struct Branches
{
	int			n;
	SsdparDimension *dimensions[SSDPAR_MAX_REDUCERS];
	SsdparStarParts *parts[SSDPAR_MAX_REDUCERS];
	SsdparStarBranch branch[SSDPAR_MAX_REDUCERS];
} Branches;

/* The table, and how it is to be read. */
typedef struct Task
{
	PlannerInfo *root;
	RelOptInfo *rel;
	SsdparStarAccess access;
	const Branches *branches;
	const SsdparStarPricing *pricing;
} Task;

typedef struct Way
{
	bool		possible;
	bool		uses[SSDPAR_MAX_REDUCERS];	/* by number of the branch */
	bool		asks[SSDPAR_MAX_REDUCERS];	/* the same, its index */
	SsdparStarCost cost;
	double		score;			/* lower is better */
} Way;

/* The best way found by an access, and what it does without. */
typedef struct BestWay
{
	SsdparStarAccess access;
	int			workers;
	const Branches *branches;
	Way			way;
	int			nleft_out;
	SsdparLeftOut left_out[SSDPAR_MAX_REDUCERS];
} BestWay;

/* Make the dimensions ready, for one process; false if one cannot be read. */
static bool
make_branches(PlannerInfo *root, RelOptInfo *fact, RelOptInfo *rel,
			  List *dimensions, const SsdparStarPricing *pricing,
			  Branches *branches)
{
	Oid			table = root->simple_rte_array[rel->relid]->relid;

	branches->n = list_length(dimensions);
	for (int i = 0; i < branches->n; i++)
	{
		SsdparDimension *dimension = list_nth(dimensions, i);
		SsdparStarBranch *branch = &branches->branch[i];
		SsdparStarParts *parts = ssdpar_star_parts(root, fact, rel, dimension,
												   false);

		if (parts == NULL)
			return false;
		branches->dimensions[i] = dimension;
		branches->parts[i] = parts;
		ssdpar_star_branch(rel, table, parts, branch);
		if (branch->index != NULL)
			branch->index_cost = ssdpar_star_index_cost(pricing, branch);
	}
	return true;
}

static bool
are_parallel_safe(List *children)
{
	ListCell   *lc;

	foreach(lc, children)
		if (!((Path *) lfirst(lc))->parallel_safe)
			return false;
	return true;
}

/*
 * Make branches of one process those of several; false if one cannot be read
 * so.  Children that can run in workers are the cheapest there as well, and
 * what a dimension leads to does not depend on its children.
 */
static bool
share_branches(PlannerInfo *root, RelOptInfo *fact, RelOptInfo *rel,
			   Branches *branches)
{
	for (int i = 0; i < branches->n; i++)
	{
		SsdparStarParts *parts = branches->parts[i];

		if (are_parallel_safe(parts->children))
			continue;
		parts = ssdpar_star_parts(root, fact, rel, branches->dimensions[i],
								  true);
		if (parts == NULL)
			return false;
		branches->parts[i] = parts;
		ssdpar_star_branch_children(parts, &branches->branch[i]);
	}
	return true;
}

static void
price_way(const Task *task, Way *way)
{
	SsdparStarWay what = {.access = task->access};

	for (int i = 0; i < task->branches->n; i++)
	{
		if (!way->uses[i])
			continue;
		what.asks[what.nbranches] = way->asks[i];
		what.branches[what.nbranches++] = &task->branches->branch[i];
	}
	ssdpar_star_cost(task->pricing, &what, &way->cost);
	way->score = ssdpar_star_score(way->cost.total, way->cost.rows);
}

/* Ask one more index, the best of those left; false if there is none. */
static bool
ask_one_more(const Task *task, Way *way)
{
	int			best = -1;
	SsdparStarCost best_cost = {0};
	double		best_score = 0;

	for (int i = 0; i < task->branches->n; i++)
	{
		if (!way->uses[i] || way->asks[i] ||
			task->branches->branch[i].index == NULL)
			continue;
		way->asks[i] = true;
		price_way(task, way);
		way->asks[i] = false;
		if (best >= 0 && way->score >= best_score)
			continue;
		best = i;
		best_cost = way->cost;
		best_score = way->score;
	}
	if (best < 0)
		return false;
	way->asks[best] = true;
	way->cost = best_cost;
	way->score = best_score;
	return true;
}

/* Find the best indexes for the way's dimensions, and price it. */
static void
complete_way(const Task *task, Way *way)
{
	Way			trial = *way;

	trial.possible = true;
	memset(trial.asks, 0, sizeof(trial.asks));
	way->possible = false;
	if (task->access != SSDPAR_STAR_BITMAP)
	{
		price_way(task, &trial);
		*way = trial;
		return;
	}
	while (ask_one_more(task, &trial))
	{
		if (way->possible && trial.score >= way->score)
			break;
		*way = trial;
	}
}

/*
 * Take the way without a dimension, and remember for EXPLAIN what that would
 * have cost.
 */
static void
leave_out(const Task *task, int branch, const Way *without, BestWay *best)
{
	SsdparLeftOut *entry = &best->left_out[best->nleft_out++];

	entry->dimension = task->branches->dimensions[branch]->rel->relid;
	entry->cost = best->way.cost.total;
	entry->chosen_cost = without->cost.total;
	best->way = *without;
}

/* False if there is none, or nothing to compare it by. */
static bool
find_best_way(const Task *task, BestWay *best)
{
	int			used = task->branches->n;
	Way			all = {0};

	for (int i = 0; i < used; i++)
		all.uses[i] = true;
	complete_way(task, &all);
	best->access = task->access;
	best->workers = task->pricing->workers;
	best->branches = task->branches;
	best->way = all;
	best->nleft_out = 0;
	if (ssdpar_star_access != SSDPAR_STAR_AUTO)
		return all.possible;
	if (!all.possible || !task->pricing->modelled)
		return false;
	for (int i = used - 1; i >= 0 && used > 1; i--)
	{
		Way			without = best->way;

		without.uses[i] = false;
		complete_way(task, &without);
		if (!without.possible || without.score >= best->way.score)
			continue;
		leave_out(task, i, &without, best);
		used--;
	}
	return true;
}

/* The same for the twin, in several processes, of a way for one. */
static bool
find_parallel_way(Task task, const Branches *shared, const BestWay *twin,
				  BestWay *best)
{
	int			workers =
		compute_parallel_worker(task.rel, twin->way.cost.pages, -1,
								max_parallel_workers_per_gather);
	SsdparStarPricing pricing = *task.pricing;

	if (workers == 0)
		return false;
	ssdpar_star_pricing_workers(&pricing, workers);
	task.branches = shared;
	task.pricing = &pricing;
	return find_best_way(&task, best);
}

static int
count_reducers(const BestWay *best)
{
	int			count = 0;

	for (int i = 0; i < best->branches->n; i++)
		if (best->way.uses[i])
			count += best->branches->parts[i]->plan.nreducers;
	return count;
}

/* What the way's plan is made of. */
static SsdparStarParts *
assemble(RelOptInfo *rel, const BestWay *best)
{
	const Branches *branches = best->branches;
	SsdparStarParts *parts = palloc0_object(SsdparStarParts);

	parts->plan.access = best->access;
	parts->plan.fact = rel->relid;
	parts->plan.pages = best->way.cost.pages;
	parts->plan.left_out = palloc_array(SsdparLeftOut, best->nleft_out);
	parts->plan.nleft_out = best->nleft_out;
	memcpy(parts->plan.left_out, best->left_out,
		   best->nleft_out * sizeof(SsdparLeftOut));
	parts->plan.reducers = palloc_array(SsdparReducer, count_reducers(best));
	for (int i = 0; i < branches->n; i++)
	{
		const SsdparStarBranch *branch = &branches->branch[i];
		SsdparReducer *reducer;

		if (!best->way.uses[i])
			continue;
		ssdpar_star_append(parts, branches->parts[i]);
		reducer = &parts->plan.reducers[parts->plan.nreducers - 1];
		if (!best->way.asks[i])
			continue;
		reducer->index = branch->index->indexoid;
		reducer->index_column = branch->index_column;
	}
	return parts;
}

static void
add_way(PlannerInfo *root, RelOptInfo *rel, const BestWay *best)
{
	const SsdparStarCost *cost = &best->way.cost;
	CustomPath *path = ssdpar_star_path(root, rel, assemble(rel, best),
										best->workers);

	path->path.rows = cost->rows;
	path->path.startup_cost = cost->startup;
	path->path.total_cost = cost->total;
	if (best->workers > 0)
		ssdpar_enter_partial_path(rel, &path->path);
	else
		ssdpar_enter_path(rel, &path->path);
}

/*
 * Add these ways, all serial or all parallel, but for one that the next would
 * take out again (star_enter.c).
 */
static void
add_ways(PlannerInfo *root, RelOptInfo *rel, const BestWay *ways, int n)
{
	for (int i = 0; i < n; i++)
		if (i == n - 1 || rel->consider_startup ||
			ways[i].way.score < ways[i + 1].way.score)
			add_way(root, rel, &ways[i]);
}

bool
ssdpar_add_star_ways(PlannerInfo *root, RelOptInfo *fact, RelOptInfo *rel,
					 List *dimensions)
{
	SsdparStarPricing pricing;
	Branches	alone;
	Branches	shared;
	Task		task = {root, rel, SSDPAR_STAR_AUTO, &alone, &pricing};
	BestWay		serial[ACCESSES];
	BestWay		parallel[ACCESSES];
	int			nserial = 0;
	int			nparallel = 0;
	bool		share;

	ssdpar_star_pricing(root, rel, &pricing);
	if (!make_branches(root, fact, rel, dimensions, &pricing, &alone))
		return false;
	shared = alone;
	/* ssdpar.subqueries = 1: in one process */
	share = rel->consider_parallel && ssdpar_subqueries != 1 &&
		share_branches(root, fact, rel, &shared);
	for (task.access = SSDPAR_STAR_BITMAP;
		 task.access <= SSDPAR_STAR_SEQUENTIAL; task.access++)
	{
		if (ssdpar_star_access != SSDPAR_STAR_AUTO &&
			ssdpar_star_access != (int) task.access)
			continue;
		if (!find_best_way(&task, &serial[nserial]))
			continue;
		if (share && find_parallel_way(task, &shared, &serial[nserial],
									   &parallel[nparallel]))
			nparallel++;
		nserial++;
	}
	add_ways(root, rel, serial, nserial);
	add_ways(root, rel, parallel, nparallel);
	if (nserial == 0 && ssdpar_star_access == SSDPAR_STAR_BITMAP)
		ssdpar_note_left_to_core("no index leads from a dimension to the fact");
	return nserial > 0;
}
