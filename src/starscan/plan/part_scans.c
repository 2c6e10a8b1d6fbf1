/*
 * part_scans.c
 *		Star scans of a fact that has partitions: one choice for all of them.
 *
 * The largest partition is planned as a table would be, but that it pays only
 * its share of reading the dimensions (search.c).  Those dimensions and those
 * indexes are then taken for all partitions: each is priced once by each
 * access, and gets the better one.  So what a partition adds to planning is
 * little beside what core does for it.
 *
 * A partition that no star scan can read, foreign or not a heap, is read as
 * core would: a star scan may drop rows, and need not.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/paths.h"
#include "port/pg_bitutils.h"

#include "base/planner_compat.h"
#include "base/settings.h"
#include "cost/parallel.h"
#include "starscan/plan/add_path.h"
#include "starscan/plan/break_even.h"
#include "starscan/plan/cost.h"
#include "starscan/plan/estimate.h"
#include "starscan/plan/keys_path.h"
#include "starscan/plan/leaves.h"
#include "starscan/plan/part_scans.h"
#include "starscan/plan/path.h"
#include "starscan/plan/scannable.h"
#include "starscan/plan/search.h"

typedef struct Parts
{
	PlannerInfo *root;
	RelOptInfo *fact;
	List	   *leaves;			/* SsdparLeaf */
	SsdparStarTable largest;	/* leaf that can be scanned */
	double		share;			/* of it in reading the dimensions */
	int			bounded[SSDPAR_MAX_REDUCERS];	/* leaves with ranges of the
												 * dimension's column */

	/* Of the choice that scans are made of. */
	const SsdparCandidate *best;
	const SsdparCandidate *bitmap;	/* NULL: none by bitmap */
	bool		sequential;		/* may partitions be read so? */
	SsdparStarPlan *plan;
	int			own[SSDPAR_MAX_REDUCERS];	/* reducer of each dimension */
	Cost		page_cost;		/* of a bitmap of the largest ... */
	double		most_pages;		/* ... and its break-even */
} Parts;

/*
 * The largest leaf to be scanned, and its share of all pages; false: none, or
 * one that core can read only with parameters.
 */
static bool
find_largest(Parts *parts)
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
			ssdpar_is_scannable(parts->root, rel))
			largest = rel;
		for (int i = 0; i < SSDPAR_MAX_REDUCERS; i++)
			parts->bounded[i] += leaf->columns[i].nranges > 0;
	}
	parts->largest.root = parts->root;
	parts->largest.fact = parts->fact;
	parts->largest.rel = largest;
	for (int i = 0; i < SSDPAR_MAX_REDUCERS; i++)
	{
		if (parts->bounded[i] > 0)
			parts->largest.kept |= SSDPAR_DIMENSION_BIT(i);
	}
	parts->share = largest != NULL ? Max(largest->pages, 1) / Max(pages, 1) : 0;
	return largest != NULL;
}

/* Take the candidates of the largest leaf for what is to become of all. */
static void
take_choice(Parts *parts, const SsdparCandidate *candidates, int n)
{
	int			nreducers = 0;

	parts->best = &candidates[0];
	parts->bitmap = NULL;
	parts->sequential = false;
	for (int i = 0; i < n; i++)
	{
		if (candidates[i].score < parts->best->score)
			parts->best = &candidates[i];
		if (candidates[i].access == SSDPAR_STAR_BITMAP)
			parts->bitmap = &candidates[i];
		else
			parts->sequential = true;
	}
	parts->plan = ssdpar_assemble_star_plan(&parts->largest, parts->best);
	parts->plan->access = SSDPAR_STAR_SEQUENTIAL;
	parts->plan->fact = parts->fact->relid;
	for (int i = 0; i < parts->largest.ndimensions; i++)
	{
		const SsdparEstimate *estimate = &parts->best->estimates[i];
		SsdparReducer *own;

		if ((parts->best->dimensions & SSDPAR_DIMENSION_BIT(i)) == 0)
			continue;
		nreducers += estimate->nreducers;
		parts->own[i] = nreducers - 1;
		own = &parts->plan->reducers[parts->own[i]];
		own->index = InvalidOid;
		own->index_planned = false;
		own->index_column = estimate->index_column;
		own->keys_wanted = parts->bounded[i] > 0;
		for (int j = 0; j < own->key.ncolumns; j++)
			own->key.target_columns[j] =
				((Var *) list_nth(estimate->dimension->target_vars,
								  j))->varattno;
	}
	parts->page_cost = 0;
	parts->most_pages = 0;
	if (parts->bitmap != NULL)
		ssdpar_break_even(&parts->largest, parts->bitmap, &parts->page_cost,
						  &parts->most_pages);
}

/*
 * The share of partitions that keys are expected in.  No more than one a key,
 * and these may be any.
 */
static double
live_share(const Parts *parts, const SsdparLeaf *leaf)
{
	double		share = 1.0;

	for (int i = 0; i < parts->largest.ndimensions; i++)
	{
		const SsdparEstimate *estimate = &parts->best->estimates[i];

		if ((parts->best->dimensions & SSDPAR_DIMENSION_BIT(i)) != 0 &&
			leaf->columns[i].nranges > 0)
			share = Min(share, estimate->dimension->keys / parts->bounded[i]);
	}
	return share;
}

/* By this access, if table can be read so. */
static bool
price_access(const Parts *parts, const SsdparStarTable *table,
			 const SsdparEstimate *estimates, SsdparStarAccess access,
			 SsdparCandidate *candidate)
{
	*candidate = *parts->best;
	candidate->access = access;
	candidate->estimates = estimates;
	candidate->indexes = 0;
	if (access == SSDPAR_STAR_BITMAP && parts->bitmap != NULL)
	{
		SsdparDimensionSet wanted = parts->bitmap->indexes &
			parts->best->dimensions;

		for (int i = 0; i < table->ndimensions; i++)
		{
			if (estimates[i].index != NULL)
				candidate->indexes |= wanted & SSDPAR_DIMENSION_BIT(i);
		}
	}
	if (access == SSDPAR_STAR_BITMAP ? candidate->indexes == 0 :
		!parts->sequential)
		return false;
	if (candidate->workers > 0)
		candidate->workers = ssdpar_star_workers(table->rel);
	candidate->processes = ssdpar_parallel_divisor(candidate->workers);
	ssdpar_count_workload(table, candidate);
	ssdpar_price_candidate(table, candidate);
	return true;
}

/* The better access; false: there is none. */
static bool
choose_access(const Parts *parts, const SsdparStarTable *table,
			  const SsdparLeaf *leaf, const SsdparEstimate *estimates,
			  SsdparCandidate *best)
{
	double		live = live_share(parts, leaf);
	SsdparCandidate other;
	bool		found = price_access(parts, table, estimates,
									 SSDPAR_STAR_BITMAP, best);

	if (!price_access(parts, table, estimates, SSDPAR_STAR_SEQUENTIAL,
					  &other))
		return found;
	other.score -= (1.0 - live) * other.total;
	other.total *= live;
	other.startup *= live;
	if (!found || other.score < best->score)
		*best = other;
	return true;
}

/* What is the partition's own in the plan. */
static SsdparStarPlan *
part_plan(const Parts *parts, const SsdparStarTable *table,
		  const SsdparLeaf *leaf, const SsdparCandidate *candidate)
{
	SsdparStarPlan *part = palloc_object(SsdparStarPlan);
	Size		size = parts->plan->nreducers * sizeof(SsdparReducer);

	*part = *parts->plan;
	part->access = candidate->access;
	part->fact = table->rel->relid;
	part->pages = candidate->pages;
	part->kept = candidate->kept;
	if (candidate->access == SSDPAR_STAR_BITMAP)
	{
		part->page_cost = parts->page_cost;
		part->most_pages = parts->most_pages * table->rel->pages /
			Max(parts->largest.rel->pages, 1);
	}
	part->reducers = palloc(size);
	memcpy(part->reducers, parts->plan->reducers, size);
	for (int i = 0; i < table->ndimensions; i++)
	{
		const SsdparEstimate *estimate = &candidate->estimates[i];
		SsdparReducer *own = &part->reducers[parts->own[i]];

		if ((candidate->dimensions & SSDPAR_DIMENSION_BIT(i)) == 0)
			continue;
		own->key = estimate->reducers[estimate->nreducers - 1].key;
		own->nranges = leaf->columns[i].nranges;
		own->ranges = leaf->columns[i].ranges;
		ssdpar_give_index(part, own, estimate,
						  (candidate->indexes & SSDPAR_DIMENSION_BIT(i)) != 0);
		if (OidIsValid(own->index))
			parts->plan->reducers[parts->own[i]].keys_wanted = true;
	}
	return part;
}

/* The star scan of a leaf; NULL: there is none. */
static Path *
leaf_path(const Parts *parts, const SsdparLeaf *leaf)
{
	SsdparEstimate estimates[SSDPAR_MAX_REDUCERS];
	SsdparStarTable table = parts->largest;
	SsdparCandidate candidate;

	if (!ssdpar_is_scannable(parts->root, leaf->rel))
		return NULL;
	table.rel = leaf->rel;
	table.oid = parts->root->simple_rte_array[leaf->rel->relid]->relid;
	if (table.rel->reltablespace != parts->largest.rel->reltablespace)
		ssdpar_load_prices(&table);
	else
		ssdpar_load_residency(&table);
	memcpy(estimates, parts->best->estimates,
		   table.ndimensions * sizeof(SsdparEstimate));
	for (int i = 0; i < table.ndimensions; i++)
	{
		if ((parts->best->dimensions & SSDPAR_DIMENSION_BIT(i)) != 0)
			ssdpar_estimate_part(&table, &estimates[i]);
	}
	if (!choose_access(parts, &table, leaf, estimates, &candidate) ||
		(parts->best->workers > 0 && candidate.workers == 0))
		return NULL;
	return ssdpar_make_star_part_path(&table, &candidate,
									  part_plan(parts, &table, leaf,
												&candidate));
}

/* The workers that core gives to an Append of these, of at least one. */
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

static Path *
append_paths(const Parts *parts, List *paths)
{
	int			workers = 0;

	if (parts->best->workers == 0)
		return ssdpar_append_path(parts->root, parts->fact, paths, NIL, 0,
								  false);
	workers = append_workers(paths);
	return workers > 0 ?
		ssdpar_append_path(parts->root, parts->fact, NIL, paths, workers,
						   enable_parallel_append) : NULL;
}

/* All leaves below their keys, partial ones if the choice has workers. */
static Path *
make_scans(const Parts *parts)
{
	bool		partial = parts->best->workers > 0;
	Cost		cost = ssdpar_keys_cost(parts->best) / parts->share;
	List	   *paths = NIL;
	Path	   *rows;
	ListCell   *lc;

	foreach(lc, parts->leaves)
	{
		const SsdparLeaf *leaf = lfirst(lc);
		Path	   *path = leaf_path(parts, leaf);

		if (path == NULL && !partial)
			path = leaf->rel->cheapest_total_path;
		else if (path == NULL && leaf->rel->partial_pathlist != NIL)
			path = linitial(leaf->rel->partial_pathlist);
		if (path == NULL)
			return NULL;
		paths = lappend(paths, path);
	}
	rows = append_paths(parts, paths);
	return rows == NULL ? NULL :
		ssdpar_make_keys_path(parts->fact, parts->plan,
							  ssdpar_candidate_children(&parts->largest,
														parts->best),
							  cost, rows);
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

	if (!find_largest(&parts) ||
		!ssdpar_choose_star_scans(&parts.largest, dimensions, parts.share,
								  &choice))
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
