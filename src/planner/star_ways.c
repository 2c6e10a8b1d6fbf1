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

/* The best way found, and what it does without. */
typedef struct BestWay
{
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

static void
find_best_way(const Task *task, BestWay *best)
{
	int			used = task->branches->n;
	Way			all = {0};

	for (int i = 0; i < used; i++)
		all.uses[i] = true;
	complete_way(task, &all);
	best->way = all;
	best->nleft_out = 0;
	if (!all.possible || ssdpar_star_access != SSDPAR_STAR_AUTO)
		return;
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
}

static int
count_reducers(const Task *task, const Way *way)
{
	int			count = 0;

	for (int i = 0; i < task->branches->n; i++)
		if (way->uses[i])
			count += task->branches->parts[i]->plan.nreducers;
	return count;
}

/* What the way's plan is made of. */
static SsdparStarParts *
assemble(const Task *task, const BestWay *best)
{
	const Way  *way = &best->way;
	SsdparStarParts *parts = palloc0_object(SsdparStarParts);

	parts->plan.access = task->access;
	parts->plan.fact = task->rel->relid;
	parts->plan.pages = way->cost.pages;
	parts->plan.left_out = palloc_array(SsdparLeftOut, best->nleft_out);
	parts->plan.nleft_out = best->nleft_out;
	memcpy(parts->plan.left_out, best->left_out,
		   best->nleft_out * sizeof(SsdparLeftOut));
	parts->plan.reducers = palloc_array(SsdparReducer,
										count_reducers(task, way));
	for (int i = 0; i < task->branches->n; i++)
	{
		const SsdparStarBranch *branch = &task->branches->branch[i];
		SsdparReducer *reducer;

		if (!way->uses[i])
			continue;
		ssdpar_star_append(parts, task->branches->parts[i]);
		reducer = &parts->plan.reducers[parts->plan.nreducers - 1];
		if (!way->asks[i])
			continue;
		reducer->index = branch->index->indexoid;
		reducer->index_column = branch->index_column;
	}
	return parts;
}

/*
 * Add the best way by this access, if there is one, and say how many pages it
 * reads.
 */
static bool
add_best(const Task *task, double *pages)
{
	int			workers = task->pricing->workers;
	const SsdparStarCost *cost;
	BestWay		best;
	CustomPath *path;

	find_best_way(task, &best);
	if (!best.way.possible ||
		(!task->pricing->modelled && ssdpar_star_access == SSDPAR_STAR_AUTO))
		return false;
	cost = &best.way.cost;
	*pages = cost->pages;
	path = ssdpar_star_path(task->root, task->rel, assemble(task, &best),
							workers);
	path->path.rows = cost->rows;
	path->path.startup_cost = cost->startup;
	path->path.total_cost = cost->total;
	if (workers > 0)
		ssdpar_enter_partial_path(task->rel, &path->path);
	else
		ssdpar_enter_path(task->rel, &path->path);
	return true;
}

/* The twin, for several processes, of a way that reads so many pages. */
static void
add_parallel(Task task, const Branches *shared, double pages)
{
	int			most = max_parallel_workers_per_gather;
	int			workers = compute_parallel_worker(task.rel, pages, -1, most);
	SsdparStarPricing pricing = *task.pricing;

	if (workers == 0)
		return;
	ssdpar_star_pricing_workers(&pricing, workers);
	task.branches = shared;
	task.pricing = &pricing;
	add_best(&task, &pages);
}

bool
ssdpar_add_star_ways(PlannerInfo *root, RelOptInfo *fact, RelOptInfo *rel,
					 List *dimensions)
{
	SsdparStarPricing pricing;
	Branches	alone;
	Branches	shared;
	Task		task = {root, rel, SSDPAR_STAR_AUTO, &alone, &pricing};
	double		pages;
	bool		share;
	bool		added = false;

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
		if (!add_best(&task, &pages))
			continue;
		added = true;
		if (share)
			add_parallel(task, &shared, pages);
	}
	if (!added && ssdpar_star_access == SSDPAR_STAR_BITMAP)
		ssdpar_note_left_to_core("no index leads from a dimension to the fact");
	return added;
}
