/*
 * star_ways.c
 *		Chooses among the ways to read one table by a star scan: by which
 *		access, through which indexes, reduced by which dimensions.
 *
 * All dimensions to begin with, the most selective first.  By bitmap the first
 * index, the first two ... are tried; a dimension whose index is not used only
 * tests rows.  Then dimensions that cost more than they save are left out, the
 * least selective first.  Not every combination is looked at: with 4 useful
 * dimensions about 20 are, each some microseconds.
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
#include "planner/star_index.h"
#include "planner/star_path.h"
#include "planner/star_reducers.h"
#include "planner/star_ways.h"
#include "settings.h"

/* The table, and how it is to be read. */
typedef struct Task
{
	PlannerInfo *root;
	RelOptInfo *fact;
	RelOptInfo *rel;
	SsdparStarAccess access;
	int			workers;
} Task;

typedef struct Way
{
	List	   *dimensions;
	SsdparStarParts *parts;		/* NULL: there is no such way */
	SsdparStarCost cost;
	double		score;			/* lower is better */
	bool		comparable;		/* with core's paths */
} Way;

/* Use the first n indexes that reducers have; false if there are fewer. */
static bool
use_indexes(RelOptInfo *rel, SsdparStarPlan *plan, int n)
{
	for (int i = 0; i < plan->nreducers; i++)
	{
		SsdparReducer *reducer = &plan->reducers[i];
		IndexOptInfo *index = n > 0 ?
			ssdpar_star_index(rel, reducer, &reducer->index_column) : NULL;

		reducer->index = index ? index->indexoid : InvalidOid;
		if (index)
			n--;
	}
	return n == 0;
}

static void
price_way(const Task *task, Way *way)
{
	way->comparable = ssdpar_star_cost(task->root, task->rel, way->parts,
									   task->workers, &way->cost);
	way->score = ssdpar_star_score(way->cost.total, way->cost.rows);
}

/* The best number of indexes for these dimensions; 0 if there is none. */
static int
best_indexes(const Task *task, Way *way)
{
	Way			trial = *way;
	int			best = 0;

	for (int n = 1; use_indexes(task->rel, &trial.parts->plan, n); n++)
	{
		price_way(task, &trial);
		if (best == 0 || trial.score < way->score)
		{
			best = n;
			way->score = trial.score;
		}
	}
	return best;
}

/* The best way with exactly these dimensions. */
static Way
way_by(const Task *task, List *dimensions)
{
	Way			way = {.dimensions = dimensions};

	if (dimensions == NIL)
		return way;
	way.parts = ssdpar_star_parts(task->root, task->fact, task->rel,
								  dimensions, task->workers > 0);
	if (way.parts == NULL)
		return way;
	way.parts->plan.access = task->access;
	if (task->access == SSDPAR_STAR_BITMAP)
	{
		int			n = best_indexes(task, &way);

		if (n == 0)
		{
			way.parts = NULL;
			return way;
		}
		use_indexes(task->rel, &way.parts->plan, n);
	}
	price_way(task, &way);
	return way;
}

/* What EXPLAIN says of a dimension that is not used. */
static SsdparLeftOut
left_out(const SsdparDimension *dimension, const Way *with,
		 const Way *without)
{
	SsdparLeftOut entry = {
		.dimension = dimension->rel->relid,
		.cost = with->cost.total,
		.chosen_cost = without->cost.total,
	};

	return entry;
}

/* The best way found. */
static Way
best_way(const Task *task, List *dimensions)
{
	Way			best = way_by(task, dimensions);
	SsdparLeftOut *out = palloc_array(SsdparLeftOut, SSDPAR_MAX_REDUCERS);
	int			nout = 0;

	if (best.parts == NULL || ssdpar_star_access != SSDPAR_STAR_AUTO)
		return best;
	for (int i = list_length(dimensions) - 1; i >= 0; i--)
	{
		SsdparDimension *dimension = list_nth(dimensions, i);
		Way			without = way_by(task,
									 list_delete_ptr(list_copy(best.dimensions),
													 dimension));

		if (without.parts == NULL || without.score >= best.score)
			continue;
		out[nout++] = left_out(dimension, &best, &without);
		best = without;
	}
	best.parts->plan.left_out = out;
	best.parts->plan.nleft_out = nout;
	return best;
}

static bool
add_way(const Task *task, Way *way)
{
	CustomPath *path;

	if (way->parts == NULL ||
		(!way->comparable && ssdpar_star_access == SSDPAR_STAR_AUTO))
		return false;
	way->parts->plan.pages = way->cost.pages;
	path = ssdpar_star_path(task->root, task->rel, way->parts, task->workers);
	path->path.rows = way->cost.rows;
	path->path.startup_cost = way->cost.startup;
	path->path.total_cost = way->cost.total;
	if (task->workers > 0)
		ssdpar_enter_partial_path(task->rel, &path->path);
	else
		ssdpar_enter_path(task->rel, &path->path);
	return true;
}

/* The best serial way by this access, and its twin for several processes. */
static bool
add_by_access(Task task, List *dimensions)
{
	Way			way = best_way(&task, dimensions);

	if (!add_way(&task, &way))
		return false;
	/* ssdpar.subqueries = 1: in one process */
	if (!task.rel->consider_parallel || ssdpar_subqueries == 1)
		return true;
	task.workers = compute_parallel_worker(task.rel, way.cost.pages, -1,
										   max_parallel_workers_per_gather);
	if (task.workers > 0)
	{
		way = best_way(&task, dimensions);
		add_way(&task, &way);
	}
	return true;
}

bool
ssdpar_add_star_ways(PlannerInfo *root, RelOptInfo *fact, RelOptInfo *rel,
					 List *dimensions)
{
	Task		task = {.root = root,.fact = fact,.rel = rel};
	bool		added = false;

	for (task.access = SSDPAR_STAR_BITMAP;
		 task.access <= SSDPAR_STAR_SEQUENTIAL; task.access++)
	{
		if (ssdpar_star_access == SSDPAR_STAR_AUTO ||
			ssdpar_star_access == (int) task.access)
			added |= add_by_access(task, dimensions);
	}
	if (!added && ssdpar_star_access == SSDPAR_STAR_BITMAP)
		ssdpar_note_left_to_core("no index leads from a dimension to the fact");
	return added;
}
