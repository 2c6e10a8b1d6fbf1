/*
 * choice.c
 *		Splits a star query into N subqueries (Chen et al. 2016, section 7.2).
 *
 * An index join partitions the dimension that drives it, a hash join
 * partitions the fact.  ssdpar only replaces the partial paths of the star's
 * base relations by its own path with the right number of workers.  On top of
 * these, core builds the joins, the partial aggregation of each subquery,
 * Gather, and the final aggregation.
 *
 * The join order search then finds the cheapest split plan by core's costs and
 * compares it with unsplit plans, including index joins at depth.  Core does
 * not know how long the loops take in this many processes, so the partition is
 * priced such that the plan's cost is the predicted one.  If the user requests
 * subqueries, unsplit plans are disabled, so that the query is split whatever
 * it costs.
 */
#include "postgres.h"

#include "catalog/pg_proc.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"

#include "base/advice.h"
#include "base/core_scan.h"
#include "base/notes.h"
#include "base/plain_table.h"
#include "base/planner_compat.h"
#include "base/rows_wanted.h"
#include "base/settings.h"
#include "base/without.h"
#include "cost/short_level.h"
#include "split/choice.h"
#include "split/cost.h"
#include "split/index_join.h"
#include "split/path.h"
#include "split/workers.h"
#include "star/star.h"

/* What to do with a star.  */
typedef struct Split
{
	RelOptInfo *fact;
	RelOptInfo *table;			/* to be partitioned; NULL: leave the star to
								 * core */
	SsdparPartitionKind kind;
	int			subqueries;
	SsdparIndexJoin join;		/* of a partitioned dimension */
} Split;

static const Split no_split = {.table = NULL};

static void
refuse(SsdparRefusal refusal)
{
	ssdpar_note_split_refused(ssdpar_refusal_text(refusal));
}

/*
 * Rows of a dimension are distributed individually, because it may have only a
 * few blocks.
 */
static Split
split_dimension(const SsdparStar *star, const SsdparIndexJoin *join,
				int subqueries)
{
	Split		split = {
		.fact = star->fact,
		.table = join->dimension,
		.kind = SSDPAR_PARTITION_ROWS,
		.subqueries = subqueries,
		.join = *join,
	};

	return split;
}

/*
 * Is this a star that should be split?  Single tables only if they are
 * aggregated, because a lookup needs no subqueries.
 */
static bool
find_worthy_star(PlannerInfo *root, SsdparStar *star)
{
	SsdparRefusal refusal;

	if (!ssdpar_find_star(root, star, &refusal))
	{
		refuse(refusal);
		return false;
	}
	return !bms_is_empty(star->dimensions) ||
		root->parse->hasAggs || root->parse->groupClause != NIL;
}

/*
 * Finds the index join whose dimension is to be partitioned: the one that
 * fetches the fewest rows of the fact.
 */
static bool
find_driving_dimension(PlannerInfo *root, const SsdparStar *star,
					   SsdparIndexJoin *best)
{
	int			rti = -1;

	best->dimension = NULL;
	while ((rti = bms_next_member(star->dimensions, rti)) >= 0)
	{
		RelOptInfo *dimension = root->simple_rel_array[rti];
		SsdparIndexJoin join;

		if (ssdpar_is_plain_table(root, dimension) &&
			ssdpar_has_core_scan(dimension) &&
			ssdpar_can_partition(dimension, SSDPAR_PARTITION_ROWS) &&
			ssdpar_find_index_join(root, star->fact, dimension, &join) &&
			(best->dimension == NULL || join.rows < best->rows))
			*best = join;
	}
	if (best->dimension == NULL)
		refuse(SSDPAR_REFUSED_NO_INDEX);
	return best->dimension != NULL;
}

/*
 * With ssdpar.subqueries = N, uses the user's number, and the user's table if
 * set.
 */
static Split
force_split(PlannerInfo *root, const SsdparStar *star)
{
	int			subqueries = ssdpar_limit_subqueries(ssdpar_subqueries);
	SsdparIndexJoin join;
	Split		split = no_split;

	if (subqueries < 2)
		return no_split;
	if (ssdpar_partition != SSDPAR_PARTITION_FACT &&
		find_driving_dimension(root, star, &join) &&
		(ssdpar_partition == SSDPAR_PARTITION_DIMENSION ||
		 ssdpar_index_join_wins(root, star->fact, &join, subqueries)))
		return split_dimension(star, &join, subqueries);
	if (ssdpar_partition == SSDPAR_PARTITION_DIMENSION ||
		!ssdpar_can_partition(star->fact, SSDPAR_PARTITION_BLOCKS))
		return no_split;
	split.fact = star->fact;
	split.table = star->fact;
	split.kind = SSDPAR_PARTITION_BLOCKS;
	split.subqueries = subqueries;
	return split;
}

/*
 * Returns the number of processes in which core scans the dimension; each of
 * them can look up its rows.
 */
static int
processes_of_core(const RelOptInfo *dimension)
{
	const List *scans = dimension->partial_pathlist;

	return scans == NIL ? 1 :
		((const Path *) linitial(scans))->parallel_workers + 1;
}

/* Does a path in this order return the first wanted rows early?  */
static bool
begins_with(List *pathkeys, List *wanted)
{
	int			in_order;

	(void) pathkeys_count_contained_in(wanted, pathkeys, &in_order);
	return wanted == NIL || in_order > 0;
}

/*
 * Is core likely to have a plan that starts with the fact and that a LIMIT
 * ends before the fact has been read completely?  With a partitioned dimension
 * there is no such plan.  Sorting and grouping read all rows first, unless
 * these come in order from an index; presorted rows have been read before.
 */
static bool
may_end_early(PlannerInfo *root, const RelOptInfo *fact)
{
	const Query *parse = root->parse;
	ListCell   *lc;

	if (root->tuple_fraction <= 0.0)
		return false;
	if (!ssdpar_level_takes_all(root))
		return true;
	if (parse->groupingSets != NIL ||
		(parse->hasAggs && parse->groupClause == NIL))
		return false;
	foreach(lc, fact->pathlist)
	{
		const Path *path = lfirst(lc);

		if (path->param_info == NULL && IsA(path, IndexPath) &&
			begins_with(path->pathkeys, root->group_pathkeys) &&
			begins_with(path->pathkeys, root->window_pathkeys) &&
			begins_with(path->pathkeys, root->distinct_pathkeys) &&
			begins_with(path->pathkeys, root->sort_pathkeys))
			return true;
	}
	return false;
}

/*
 * With ssdpar.subqueries = 0, splits the query through a dimension if two
 * predictions hold.  First, it takes less time than any scan of the fact,
 * including star scans, and than the index join in one process, at depth if
 * possible.  Second, the best number of subqueries exceeds core's number of
 * processes.  Otherwise the query is left to core, which parallelizes scans of
 * the fact itself, including a chosen star scan.
 */
static Split
choose_split(PlannerInfo *root, const SsdparStar *star)
{
	SsdparIndexJoin join;
	SsdparModel model;
	double		unsplit;
	double		seconds;
	int			subqueries;

	if (ssdpar_partition == SSDPAR_PARTITION_FACT ||
		(ssdpar_star_scan && ssdpar_star_access != SSDPAR_STAR_AUTO) ||
		!ssdpar_predict_model(star->fact, &model))
		return no_split;
	if (ssdpar_level_is_short(root))
	{
		refuse(SSDPAR_REFUSED_SHORT);
		return no_split;
	}
	if (!find_driving_dimension(root, star, &join))
		return no_split;
	if (!ssdpar_may_loop(root))
	{
		refuse(SSDPAR_REFUSED_NO_LOOPS);
		return no_split;
	}
	if (may_end_early(root, star->fact))
	{
		refuse(SSDPAR_REFUSED_ENDS_EARLY);
		return no_split;
	}
	unsplit = ssdpar_unsplit_seconds(root, star->fact, &model, &join);
	subqueries = ssdpar_best_subqueries(root, star->fact, &model, &join,
										Min(ssdpar_possible_subqueries(),
											SSDPAR_MAX_SUBQUERIES), unsplit,
										&seconds);
	seconds += ssdpar_unshared_seconds(root, star->fact, &model, &join);
	if (subqueries < 2)
		refuse(SSDPAR_REFUSED_TOO_LITTLE);
	else if (seconds >= unsplit ||
			 subqueries <= processes_of_core(join.dimension))
		refuse(SSDPAR_REFUSED_SLOWER);
	else
		return split_dimension(star, &join, subqueries);
	return no_split;
}

/*
 * Excludes relations whose outer join core has removed, and children excluded
 * by constraints; core does not determine whether workers may read them.
 */
static bool
is_read(PlannerInfo *root, RelOptInfo *rel)
{
	Relids		tables = bms_is_empty(rel->top_parent_relids) ? rel->relids :
		rel->top_parent_relids;

	return bms_is_subset(tables, root->all_baserels) && !IS_DUMMY_REL(rel);
}

/*
 * Can the whole query run in workers?  If only parts could, the search might
 * end without a split plan after core's plans have been disabled.
 */
static bool
can_run_in_workers(PlannerInfo *root)
{
	if (root->glob->maxParallelHazard != PROPARALLEL_SAFE)
		return false;
	for (int rti = 1; rti < root->simple_rel_array_size; rti++)
	{
		RelOptInfo *rel = root->simple_rel_array[rti];

		if (rel && is_read(root, rel) && !rel->consider_parallel)
			return false;
	}
	return true;
}

/*
 * Decides what to do with the query level at root.  With ssdpar.subqueries = 1
 * nothing is split.  If the server does not allow parallel queries, only a
 * user who has requested a number is told by a NOTICE.
 */
static Split
decide_split(PlannerInfo *root)
{
	SsdparStar	star;

	if (ssdpar_subqueries == 1 || !find_worthy_star(root, &star) ||
		ssdpar_scan_is_advised(root, star.fact))
		return no_split;
	if (!ssdpar_is_heap(root, star.fact) || !ssdpar_has_core_scan(star.fact))
	{
		refuse(SSDPAR_REFUSED_NOT_PLAIN);
		return no_split;
	}
	if (!can_run_in_workers(root))
	{
		refuse(SSDPAR_REFUSED_NOT_PARALLEL);
		if (ssdpar_subqueries > 1)
			ssdpar_tell_if_parallel_off();
		return no_split;
	}
	return ssdpar_subqueries == 0 ?
		choose_split(root, &star) : force_split(root, &star);
}

/*
 * Disables the other scans of the fact.  Otherwise each subquery could hash
 * the whole fact, or the index join could be driven by a parallel scan of a
 * dimension.
 */
static void
disable_other_scans(RelOptInfo *fact, bool by_index_join)
{
	bool		kept PG_USED_FOR_ASSERTS_ONLY = false;
	ListCell   *lc;

	foreach(lc, fact->pathlist)
	{
		Path	   *path = lfirst(lc);

		if ((path->param_info != NULL) != by_index_join)
			ssdpar_disable_path(path);
		else
			kept = true;
	}

	/* otherwise core would have to choose among disabled plans */
	Assert(kept);
	set_cheapest(fact);
}

/*
 * Gives the table to be partitioned its only partial path, and leaves core
 * only one way to use it: a partitioned dimension drives an index join, a
 * partitioned fact is read completely.
 */
static void
offer_partition(PlannerInfo *root, const Split *split)
{
	RelOptInfo *fact = split->fact;
	bool		by_index_join = split->table != fact;
	SsdparModel model;
	Path	   *path;

	/* nothing refers yet to the partial paths that are removed below */
	Assert(root->join_rel_list == NIL);

	disable_other_scans(fact, by_index_join);

	/*
	 * For an index join, the partition must be the only partial path in the
	 * query.  With a partitioned fact, core's parallel scans of dimensions
	 * can build shared hash tables.
	 */
	for (int rti = 1; rti < root->simple_rel_array_size; rti++)
	{
		RelOptInfo *rel = root->simple_rel_array[rti];

		if (rel && (by_index_join || rel == fact))
			rel->partial_pathlist = NIL;
	}
	path = ssdpar_add_partition_path(root, split->table, split->kind,
									 split->subqueries,
									 ssdpar_workers_for(split->subqueries));
	Assert(list_length(split->table->partial_pathlist) == 1 &&
		   linitial(split->table->partial_pathlist) == path);

	/*
	 * Prices are predicted times, as for other scans.  A fact is priced
	 * directly.  For a dimension, we add what core, which prices the joins
	 * above it, does not count.
	 */
	if (!ssdpar_predict_model(fact, &model))
		return;
	if (by_index_join)
		path->total_cost += ssdpar_uncounted_cost(root, fact, &model,
												  &split->join,
												  split->subqueries);
	else
		path->total_cost = path->startup_cost +
			ssdpar_split_scan_cost(root, fact, &model, split->subqueries);
}

void
ssdpar_split_scan(PlannerInfo *root, RelOptInfo *rel)
{
	SsdparStar	star;
	Split		split;

	if (rel->reloptkind != RELOPT_BASEREL || IS_DUMMY_REL(rel) ||
		ssdpar_subqueries == 0 || ssdpar_without(SSDPAR_SPLIT_IN_N))
		return;
	if (ssdpar_subqueries == 1)
	{
		/* in set_rel_pathlist_hook: core adds Gather paths later */
		Assert(root->join_rel_list == NIL);
		if (rel->partial_pathlist != NIL && find_worthy_star(root, &star))
			rel->partial_pathlist = NIL;
		return;
	}
	if (!bms_equal(rel->relids, root->all_baserels))
		return;

	/* If the fact is not joined with anything, there is no join search.  */
	split = decide_split(root);
	if (split.table)
	{
		offer_partition(root, &split);
		ssdpar_require_split(root, rel);
	}
}

bool
ssdpar_offer_partition(PlannerInfo *root, List *initial_rels)
{
	Split		split;

	if (ssdpar_without(SSDPAR_SPLIT_IN_N))
		return false;
	if (list_length(initial_rels) != bms_num_members(root->all_baserels))
	{
		refuse(SSDPAR_REFUSED_FIXED_ORDER);
		return false;
	}
	split = decide_split(root);
	if (split.table == NULL)
		return false;
	offer_partition(root, &split);
	if (ssdpar_subqueries != 0)
		ssdpar_group_after_joins(root);
	return true;
}

/*
 * No path refers to the paths of a relation that covers the whole query, so
 * they can be disabled in place.  If no split plan was possible, there are no
 * partial paths, and core's paths are kept.
 */
void
ssdpar_require_split(PlannerInfo *root, RelOptInfo *rel)
{
	ListCell   *lc;

	if (ssdpar_subqueries == 0 || rel->partial_pathlist == NIL ||
		!bms_equal(rel->relids, root->all_baserels))
		return;
	foreach(lc, rel->pathlist)
	{
		/*
		 * The remaining alternative is a Gather of the partial paths, which
		 * core adds later.  If it existed already, it would be disabled too.
		 */
		Assert(!IsA(lfirst(lc), GatherPath) &&
			   !IsA(lfirst(lc), GatherMergePath));
		ssdpar_disable_path(lfirst(lc));
	}
	set_cheapest(rel);
}
