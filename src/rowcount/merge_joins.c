/*
 * merge_joins.c
 *		Merge joins of large tables, with their sorts at this machine's price.
 *
 * To core all sorts of as many rows cost the same, which for numbers is several
 * times too much and for text by the rules of a language too little
 * (cost/sort_price.c).  It puts them below a merge join by itself, and compares
 * that with other merge joins, which take rows in the order of an index, and
 * with other ways to join.  So it is shown rows that are sorted already, at
 * their price, and makes merge joins of these instead.
 *
 * Duplicates that are to be dropped before joining come in no order to core,
 * so where it does that its price stays, as it does of joins by more than two
 * keys.
 */
#include "postgres.h"

#include <math.h>

#include "optimizer/cost.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "utils/float.h"

#include "base/notes.h"
#include "base/planner_compat.h"
#include "cost/row_work.h"
#include "cost/sort_price.h"
#include "cost/tablespace_model.h"
#include "rowcount/merge_joins.h"

/* What a row takes that is sorted by the dearest keys there are. */
#define ROW_SECONDS 4e-6

/* Rows in the orders of a pair's merge joins. */
typedef struct SortedRows
{
	List	   *outer;
	List	   *outer_partial;
	List	   *inner;
	Cost		longer;			/* at most, beside core's price */
	Cost		shorter;
} SortedRows;

/*
 * Core must find all orders that it would sort by among those it is shown: an
 * index may have three keys in another order than sorted_rows(), and workers
 * sort other inner rows where the cheapest are not for them.
 */
static bool
may_be_merged(const SsdparPair *pair)
{
	return enable_sort && pair->extra->mergeclause_list != NIL &&
		list_length(pair->extra->mergeclause_list) <= 2 &&
		(pair->outer->partial_pathlist == NIL ||
		 pair->inner->cheapest_total_path->parallel_safe) &&
		pair->jointype != JOIN_UNIQUE_OUTER &&
		pair->jointype != JOIN_UNIQUE_INNER &&
		pair->outer->cheapest_total_path->param_info == NULL &&
		pair->inner->cheapest_total_path->param_info == NULL;
}

static bool
is_enough(const SsdparPair *pair, Cost differs)
{
	return ssdpar_price_matters(differs, ssdpar_least_join_cost(pair->joinrel),
								ssdpar_notes()->seconds_per_unit);
}

/* But for the pair's merge joins and nested loops, which have core's price. */
static Path *
cheapest_of(const SsdparPair *pair, List *joined, Path *cheapest)
{
	ListCell   *lc;

	foreach(lc, joined)
	{
		Path	   *path = lfirst(lc);

		if (path->param_info == NULL &&
			(IsA(path, HashPath) || !ssdpar_is_join_of_pair(pair, path)) &&
			(cheapest == NULL || path->total_cost < cheapest->total_cost))
			cheapest = path;
	}
	return cheapest;
}

/*
 * What a sort may take that helps a merge join: as long as the cheapest way to
 * join, and then to sort the joined rows if their order is of use.
 */
static Cost
most_sort_cost(const SsdparPair *pair, List *joined, List *hashed,
			   bool ordered)
{
	Path	   *cheapest = cheapest_of(pair, joined,
									   cheapest_of(pair, hashed, NULL));

	if (cheapest != NULL && ordered)
		cheapest = (Path *) create_sort_path(pair->root, pair->joinrel,
											 cheapest, NIL, -1.0);
	return cheapest == NULL ? get_float8_infinity() : cheapest->total_cost;
}

static List *
sort_rows(const SsdparPair *pair, const SsdparModel *model, RelOptInfo *rel,
		  Path *rows, List *pathkeys, Cost most, SortedRows *sorted)
{
	Path	   *sort;
	Cost		longer;

	if (pathkeys_contained_in(pathkeys, rows->pathkeys))
		return NIL;
	sort = ssdpar_create_sort(pair->root, model, rel, rows, pathkeys, -1.0,
							  most, &longer);
	if (sort == NULL)
		return NIL;
	sorted->longer = Max(sorted->longer, longer);
	sorted->shorter = Max(sorted->shorter, -longer);
	return list_make1(sort);
}

/* By a different key first. */
static List *
rotated(const List *pathkeys, const void *first)
{
	return lcons((void *) first,
				 list_delete_ptr(list_copy(pathkeys), (void *) first));
}

/* As core does: each key is the first one once. */
static SortedRows
sorted_rows(const SsdparPair *pair, const SsdparModel *model,
			const SsdparJoins *hashed)
{
	List	   *clauses = pair->extra->mergeclause_list;
	List	   *all = select_outer_pathkeys_for_merge(pair->root, clauses,
													  pair->joinrel);
	SortedRows	sorted = {NIL, NIL, NIL, 0.0, 0.0};
	ListCell   *lc;

	foreach(lc, all)
	{
		List	   *outer_keys = rotated(all, lfirst(lc));
		List	   *merged_by =
			find_mergeclauses_for_outer_pathkeys(pair->root, outer_keys,
												 clauses);
		List	   *inner_keys =
			make_inner_pathkeys_for_merge(pair->root, merged_by, outer_keys);
		bool		ordered = build_join_pathkeys(pair->root, pair->joinrel,
												  pair->jointype,
												  outer_keys) != NIL;
		Cost		most = most_sort_cost(pair, pair->joinrel->pathlist,
										  hashed->paths, ordered);
		Cost		most_partial =
			most_sort_cost(pair, pair->joinrel->partial_pathlist,
						   hashed->partial, ordered);

		sorted.outer = list_concat(sorted.outer,
								   sort_rows(pair, model, pair->outer,
											 pair->outer->cheapest_total_path,
											 outer_keys, most, &sorted));
		if (pair->outer->partial_pathlist != NIL)
			sorted.outer_partial =
				list_concat(sorted.outer_partial,
							sort_rows(pair, model, pair->outer,
									  linitial(pair->outer->partial_pathlist),
									  outer_keys, most_partial, &sorted));
		sorted.inner = list_concat(sorted.inner,
								   sort_rows(pair, model, pair->inner,
											 pair->inner->cheapest_total_path,
											 inner_keys, most, &sorted));
	}
	return sorted;
}

/* Core's own sorts lose against the same that are there already. */
static SsdparJoins
merge_sorted(const SsdparPair *pair, const SortedRows *sorted)
{
	RelOptInfo *outer = pair->outer;
	RelOptInfo *inner = pair->inner;
	List	   *outer_paths = outer->pathlist;
	List	   *outer_partial = outer->partial_pathlist;
	List	   *inner_paths = inner->pathlist;
	SsdparJoins joins;

	outer->pathlist = list_concat_copy(outer_paths, sorted->outer);
	outer->partial_pathlist = list_concat_copy(outer_partial,
											   sorted->outer_partial);
	inner->pathlist = list_concat_copy(inner_paths, sorted->inner);
	enable_sort = false;
	PG_TRY();
	{
		joins = ssdpar_join_one_way(pair, SSDPAR_JOIN_MERGE);
	}
	PG_FINALLY();
	{
		enable_sort = true;
		outer->pathlist = outer_paths;
		outer->partial_pathlist = outer_partial;
		inner->pathlist = inner_paths;
	}
	PG_END_TRY();
	return joins;
}

SsdparJoins
ssdpar_take_merge_joins(SsdparPair *pair, const SsdparJoins *hashed)
{
	SsdparJoins joins = {false, NIL, NIL};
	SsdparModel model;
	SortedRows	sorted;

	if (!may_be_merged(pair) ||
		!is_enough(pair, (pair->outer->rows + pair->inner->rows) *
				   ROW_SECONDS / ssdpar_notes()->seconds_per_unit) ||
		!ssdpar_model_get(ssdpar_notes()->priced_tablespace, &model))
		return joins;
	sorted = sorted_rows(pair, &model, hashed);
	if (!is_enough(pair, Max(sorted.longer, sorted.shorter)))
		return joins;
	joins = merge_sorted(pair, &sorted);
	if (joins.paths == NIL && joins.partial == NIL)
		return joins;
	joins.dearer = sorted.longer > 0.0;
	ssdpar_take_apart(pair, SSDPAR_JOIN_MERGE);
	return joins;
}
