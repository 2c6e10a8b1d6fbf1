/*
 * part_scans.c
 *		Star scans of a partitioned fact: one choice for all of its
 *		partitions.
 *
 * The largest partition is planned like a table, except that it pays only its
 * share of reading the dimensions (search.c).  The resulting dimensions and
 * indexes are used for all partitions, and the better access is chosen per
 * kind of partition (part_price.c).  So the planning time per partition is
 * small compared with core's.
 *
 * A partition that no star scan can read, because it is foreign or not a heap,
 * is read by core's scan: a star scan may drop rows, but need not.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "port/pg_bitutils.h"

#include "base/planner_compat.h"
#include "base/settings.h"
#include "starscan/plan/add_path.h"
#include "starscan/plan/break_even.h"
#include "starscan/plan/cost.h"
#include "starscan/plan/keys_path.h"
#include "starscan/plan/leaves.h"
#include "starscan/plan/part_price.h"
#include "starscan/plan/part_scans.h"
#include "starscan/plan/path.h"
#include "starscan/plan/search.h"

typedef struct Parts
{
	PlannerInfo *root;
	RelOptInfo *fact;
	List	   *leaves;			/* SsdparLeafs */
	double		share;			/* of the largest leaf in reading the
								 * dimensions */
	SsdparPartChoice choice;	/* from which scans are created */
	SsdparStarPlan *plan;
	int			own[SSDPAR_MAX_REDUCERS];	/* index of the reducer of each
											 * dimension */
	double		pages;			/* of all those expected to be read */
	Cost		page_cost;		/* of a bitmap of the largest leaf ... */
	double		most_pages;		/* ... and its break-even */
} Parts;

/*
 * Finds the largest leaf that can be scanned, and its share of all pages.
 * Returns false if there is none, or one that core can read only with
 * parameters.
 */
static bool
find_largest(Parts *parts, int ndimensions)
{
	RelOptInfo *largest = NULL;
	double		pages = 0;
	ListCell   *lc;

	foreach(lc, parts->leaves)
	{
		const SsdparLeaf *leaf = lfirst(lc);
		RelOptInfo *rel = leaf->rel;

		if (rel->cheapest_total_path == NULL ||
			rel->cheapest_total_path->param_info != NULL)
			return false;
		pages += rel->pages;
		if ((largest == NULL || rel->pages > largest->pages) &&
			leaf->scannable)
			largest = rel;
		for (int i = 0; i < ndimensions; i++)
			parts->choice.bounded[i] += leaf->columns[i].nranges > 0;
	}
	parts->choice.largest.root = parts->root;
	parts->choice.largest.fact = parts->fact;
	parts->choice.largest.rel = largest;
	for (int i = 0; i < ndimensions; i++)
	{
		if (parts->choice.bounded[i] > 0)
			parts->choice.largest.kept |= SSDPAR_DIMENSION_BIT(i);
	}
	parts->share = largest != NULL ? Max(largest->pages, 1) / Max(pages, 1) : 0;
	return largest != NULL;
}

/* Uses the candidates of the largest leaf for all partitions. */
static void
take_choice(Parts *parts, const SsdparCandidate *candidates, int n)
{
	int			nreducers = 0;

	parts->choice.best = &candidates[0];
	parts->choice.bitmap = NULL;
	parts->choice.sequential = false;
	parts->choice.priced = NIL;
	parts->pages = 0;
	for (int i = 0; i < n; i++)
	{
		if (candidates[i].score < parts->choice.best->score)
			parts->choice.best = &candidates[i];
		if (candidates[i].access == SSDPAR_STAR_BITMAP)
			parts->choice.bitmap = &candidates[i];
		else
			parts->choice.sequential = true;
	}
	parts->plan = ssdpar_assemble_star_plan(&parts->choice.largest,
											parts->choice.best);
	parts->plan->access = SSDPAR_STAR_SEQUENTIAL;
	parts->plan->fact = parts->fact->relid;
	for (int i = 0; i < parts->choice.largest.ndimensions; i++)
	{
		const SsdparEstimate *estimate = &parts->choice.best->estimates[i];
		SsdparReducer *own;

		if ((parts->choice.best->dimensions & SSDPAR_DIMENSION_BIT(i)) == 0)
			continue;
		nreducers += estimate->nreducers;
		parts->own[i] = nreducers - 1;
		own = &parts->plan->reducers[parts->own[i]];
		own->index = InvalidOid;
		own->index_planned = false;
		own->index_column = estimate->index_column;
		own->keys_wanted = parts->choice.bounded[i] > 0;
		for (int j = 0; j < own->key.ncolumns; j++)
			own->key.target_columns[j] =
				((Var *) list_nth(estimate->dimension->target_vars,
								  j))->varattno;
	}
	parts->page_cost = 0;
	parts->most_pages = 0;
	if (parts->choice.bitmap != NULL)
		ssdpar_break_even(&parts->choice.largest, parts->choice.bitmap,
						  &parts->page_cost,
						  &parts->most_pages);
}

/* The part of the plan that differs between partitions. */
static SsdparStarPlan *
part_plan(const Parts *parts, const SsdparLeaf *leaf,
		  const SsdparPartScan *scan)
{
	const SsdparCandidate *candidate = &scan->candidate;
	SsdparStarPlan *part = palloc_object(SsdparStarPlan);
	Size		size = parts->plan->nreducers * sizeof(SsdparReducer);

	*part = *parts->plan;
	part->access = candidate->access;
	part->fact = leaf->rel->relid;
	part->pages = candidate->pages;
	part->kept = candidate->kept;
	if (candidate->access == SSDPAR_STAR_BITMAP)
	{
		part->page_cost = parts->page_cost;
		part->most_pages = parts->most_pages * leaf->rel->pages /
			Max(parts->choice.largest.rel->pages, 1);
	}
	part->reducers = palloc(size);
	memcpy(part->reducers, parts->plan->reducers, size);
	for (int i = 0; i < parts->choice.largest.ndimensions; i++)
	{
		SsdparReducer *own;

		if ((candidate->dimensions & SSDPAR_DIMENSION_BIT(i)) == 0)
			continue;
		own = &part->reducers[parts->own[i]];
		for (int j = 0; j < own->key.ncolumns; j++)
			own->key.target_columns[j] =
				ssdpar_leaf_column(parts->root, leaf->rel->relid,
								   parts->fact->relid,
								   own->key.target_columns[j]);
		own->nranges = leaf->columns[i].nranges;
		own->ranges = leaf->columns[i].ranges;
		ssdpar_give_index(part, own, &candidate->estimates[i],
						  leaf->indexes[i],
						  (candidate->indexes & SSDPAR_DIMENSION_BIT(i)) != 0);
		if (OidIsValid(own->index))
			parts->plan->reducers[parts->own[i]].keys_wanted = true;
	}
	return part;
}

/* Adds the star scan of a leaf; false if there is none. */
static bool
add_star_scan(Parts *parts, SsdparLeaf *leaf, List **paths)
{
	SsdparPartScan scan;

	if (!leaf->scannable ||
		!ssdpar_price_part(&parts->choice, leaf, &scan))
		return false;
	parts->pages += scan.pages;
	*paths = lappend(*paths,
					 ssdpar_make_star_part_path(leaf->rel, &scan.candidate,
												part_plan(parts, leaf,
														  &scan)));
	return true;
}

/* Adds core's scan of a leaf; false if there is none. */
static bool
add_core_scan(const Parts *parts, const SsdparLeaf *leaf, List **paths)
{
	bool		partial = parts->choice.best->workers > 0;
	Path	   *path = leaf->rel->cheapest_total_path;

	if (partial && leaf->rel->partial_pathlist == NIL)
		return false;
	if (partial)
		path = linitial(leaf->rel->partial_pathlist);
	*paths = lappend(*paths, path);
	return true;
}

/* The workers that core gives to an Append of these, at least one. */
static int
append_workers(List *paths)
{
	int			workers = 0;
	ListCell   *lc;

	foreach(lc, paths)
		workers = Max(workers, ((Path *) lfirst(lc))->parallel_workers);
	if (enable_parallel_append)
		workers = Max(workers,
					  pg_leftmost_one_pos32(list_length(paths)) + 1);
	return Min(workers, max_parallel_workers_per_gather);
}

/*
 * The full cost of the dimensions is charged; the largest leaf had its share.
 */
static Path *
keys_path(const Parts *parts, Path *append)
{
	const SsdparStarTable *table = &parts->choice.largest;
	const SsdparCandidate *best = parts->choice.best;

	return ssdpar_make_keys_path(parts->fact, parts->plan,
								 ssdpar_candidate_dimensions(table, best),
								 ssdpar_candidate_children(table, best),
								 ssdpar_keys_cost(best) / parts->share, append);
}

/* All leaves below their keys, as partial paths if the choice has workers. */
static Path *
make_scans(Parts *parts)
{
	bool		partial = parts->choice.best->workers > 0;
	List	   *paths = NIL;
	int			workers;
	ListCell   *lc;

	foreach(lc, parts->leaves)
	{
		SsdparLeaf *leaf = lfirst(lc);

		if (!add_star_scan(parts, leaf, &paths) &&
			!add_core_scan(parts, leaf, &paths))
			return NULL;
	}
	parts->plan->npriced = list_length(parts->choice.priced);
	parts->plan->ring = parts->pages > NBuffers;
	workers = partial ? append_workers(paths) : 0;
	if (partial && workers == 0)
		return NULL;
	return keys_path(parts, ssdpar_append_path(parts->root, parts->fact,
											   partial ? NIL : paths,
											   partial ? paths : NIL, workers,
											   partial &&
											   enable_parallel_append));
}

bool
ssdpar_add_part_scans(PlannerInfo *root, RelOptInfo *fact, List *dimensions)
{
	Parts		parts = {
		.root = root,
		.fact = fact,
		.leaves = ssdpar_fact_leaves(root, fact, dimensions),
	};
	SsdparStarChoice choice;
	Path	   *path;

	if (!find_largest(&parts, list_length(dimensions)) ||
		!ssdpar_choose_star_scans(&parts.choice.largest, dimensions,
								  parts.share, &choice))
		return false;
	take_choice(&parts, choice.serial, choice.nserial);
	path = make_scans(&parts);
	ssdpar_add_path(fact, path);
	if (!fact->consider_parallel || choice.nparallel == 0)
		return true;
	take_choice(&parts, choice.parallel, choice.nparallel);
	path = make_scans(&parts);
	if (path != NULL)
		ssdpar_add_partial_path(fact, path);
	return true;
}
