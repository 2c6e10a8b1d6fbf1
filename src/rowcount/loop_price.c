/*
 * loop_price.c
 *		Prices nested loops over an unparameterized inner side by the expected
 *		rather than by the estimated number of rows.
 *
 * Such a loop pays for its inner side once per outer row.  If one row is
 * estimated, the loop is as cheap as a hash join, but if there turn out to be
 * ten thousand, it takes ten thousand times as long, while the hash join takes
 * hardly longer.  So we add the cost of pairs of rows that must be expected
 * beyond the estimate (spread.c).  Leis et al. (How Good Are Query Optimizers,
 * Really?, 2015, section 4.1) disable these loops altogether, without a loss
 * for any query.
 *
 * A loop that looks up its inner side by the outer row grows only as fast as
 * its result, like any other join, so it keeps core's price or gets that of
 * its number of lookups (loop_runs.c).  We also keep the price of a loop that
 * no hash join can replace, of one over a handful of rows, and of one whose
 * number of outer rows is reliable.
 *
 * Core compares a new path with the others immediately and frees the losers.
 * Therefore, paths that lost against a loop have to be rebuilt after the loop
 * has been repriced.  For paths of the same two relations, we call core a
 * second time without such loops; for paths of other pairs, we keep copies of
 * each pair's result.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"

#include "base/notes.h"
#include "base/planner_compat.h"
#include "base/settings.h"
#include "base/without.h"
#include "cost/parallel.h"
#include "custom_scan/path_copy.h"
#include "rowcount/filter_runs.h"
#include "rowcount/join_again.h"
#include "rowcount/limited_loops.h"
#include "rowcount/loop_price.h"
#include "rowcount/loop_runs.h"
#include "rowcount/spread.h"

/* Comparisons with a page or two of rows cost too little to matter. */
#define TINY_INNER_ROWS 200.0

/* Copies of a join relation's paths after its last pair. */
typedef struct Kept
{
	RelOptInfo *joinrel;
	List	   *paths;
	List	   *partial;
	char		status;			/* used by simplehash.h */
} Kept;

#define SH_PREFIX kept
#define SH_ELEMENT_TYPE Kept
#define SH_KEY_TYPE RelOptInfo *
#define SH_KEY joinrel
#define SH_HASH_KEY(table, key) \
	hash_bytes((const unsigned char *) &(key), sizeof(key))
#define SH_EQUAL(table, a, b) ((a) == (b))
#define SH_SCOPE static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

/* State of the statement being planned, in its memory context. */
static SsdparLoopPrices statement = {false, NULL};

static bool
is_first_match_enough(const SsdparPair *pair)
{
	return pair->jointype == JOIN_SEMI || pair->jointype == JOIN_ANTI ||
		pair->extra->inner_unique;
}

/*
 * The share of the inner side that an outer row is compared with: up to its
 * first match if that suffices, as in final_cost_nestloop().
 */
static double
inner_share(const SsdparPair *pair)
{
	const SemiAntiJoinFactors *factors = &pair->extra->semifactors;
	double		matched;

	if (!is_first_match_enough(pair))
		return 1.0;
	matched = Min(2.0 / (factors->match_count + 1.0), 1.0);
	return 1.0 - factors->outer_match_frac * (1.0 - matched);
}

/*
 * Cost of a rescan of the inner side, as in cost_rescan() if it is in memory,
 * with its rows multiplied by times.
 */
static Cost
rescan_cost(const Path *inner, double times)
{
	switch (inner->pathtype)
	{
		case T_Material:
		case T_Sort:
			return cpu_operator_cost * inner->rows * times;
		case T_CteScan:
		case T_WorkTableScan:
			return cpu_tuple_cost * inner->rows * times;
		case T_FunctionScan:
		case T_HashJoin:
			return inner->total_cost - inner->startup_cost;
		default:
			return inner->total_cost;
	}
}

/* Cost per outer row, with the inner rows multiplied by times. */
static Cost
outer_row_cost(const SsdparPair *pair, const NestPath *loop, double times)
{
	const Path *inner = loop->jpath.innerjoinpath;
	QualCost	quals;

	cost_qual_eval(&quals, loop->jpath.joinrestrictinfo, pair->root);
	return inner_share(pair) *
		(rescan_cost(inner, times) +
		 inner->rows * times * (cpu_tuple_cost + quals.per_tuple));
}

/* Is the inner side certain to be a page or two in memory? */
static bool
is_surely_tiny(const SsdparPair *pair, Cost row_cost)
{
	return row_cost <=
		TINY_INNER_ROWS * (cpu_tuple_cost + 2 * cpu_operator_cost) &&
		(pair->inner_spread <= 1.0 ||
		 (IS_SIMPLE_REL(pair->inner) && pair->inner->rtekind == RTE_RELATION &&
		  pair->inner->tuples <= TINY_INNER_ROWS));
}

/*
 * A star scan has fewer rows than its relation because of dimensions that are
 * joined above.  If it has only one, that is no more reliable than the
 * dimensions, even if the relation's own row count is.
 */
static double
outer_spread(const SsdparPair *pair, const Path *outer)
{
	double		rows = pair->outer->rows /
		ssdpar_parallel_divisor(outer->parallel_workers);

	if (outer->param_info == NULL && outer->rows <= 1.0 && rows > 1.0)
		return Max(pair->outer_spread, ssdpar_join_spread());
	return pair->outer_spread;
}

/*
 * Cost of rows expected beyond the estimates of both sides.  If both sides
 * have one row, the number of comparisons does not matter.
 */
static Cost
expected_excess(SsdparPair *pair, const NestPath *loop)
{
	double		rows = Max(loop->jpath.outerjoinpath->rows, 1.0);
	double		spread;
	Cost		expected;

	if (pair->outer_spread <= 0.0)
	{
		pair->outer_spread = ssdpar_row_spread(pair->root, pair->outer);
		pair->inner_spread = ssdpar_row_spread(pair->root, pair->inner);
	}
	spread = outer_spread(pair, loop->jpath.outerjoinpath);
	if (spread <= 1.0 && rows <= 1.0)
		return 0.0;
	expected = outer_row_cost(pair, loop, pair->inner_spread);
	if (is_surely_tiny(pair, expected))
		return 0.0;
	return rows * (spread * expected - outer_row_cost(pair, loop, 1.0));
}

/* Is it a nested loop of this pair over an unparameterized inner side? */
static bool
is_plain_loop(const SsdparPair *pair, Path *path)
{
	return ssdpar_is_loop_of_pair(pair, path) &&
		!ssdpar_has_parameters_of(((JoinPath *) path)->innerjoinpath,
								  pair->outer);
}

static bool
has_plain_loop(const SsdparPair *pair, List *paths)
{
	ListCell   *lc;

	foreach(lc, paths)
		if (is_plain_loop(pair, lfirst(lc)))
			return true;
	return false;
}

/* Removes the loops that cost more than core assumes, and reprices them. */
static List *
take_loops(SsdparPair *pair, List **paths)
{
	List	   *loops = NIL;
	ListCell   *lc;

	foreach(lc, *paths)
	{
		Path	   *path = lfirst(lc);
		Cost		excess;

		if (!is_plain_loop(pair, path))
			continue;
		excess = expected_excess(pair, (NestPath *) path);
		if (excess <= 0.0)
			continue;
		path->total_cost += excess;
		loops = lappend(loops, path);
		*paths = foreach_delete_current(*paths, lc);
	}
	return loops;
}

static List *
with_parameters_of(List *paths, const RelOptInfo *rel)
{
	List	   *with = NIL;
	ListCell   *lc;

	foreach(lc, paths)
		if (ssdpar_has_parameters_of(lfirst(lc), rel))
			with = lappend(with, lfirst(lc));
	return with;
}

static void
add_paths(RelOptInfo *joinrel, List *paths, List *partial)
{
	ListCell   *lc;

	foreach(lc, paths)
		add_path(joinrel, lfirst(lc));
	foreach(lc, partial)
		add_partial_path(joinrel, lfirst(lc));
}

/* Is there a path that is at least as good in every respect? */
static bool
is_beaten(const RelOptInfo *joinrel, List *paths, Path *loop)
{
	ListCell   *lc;

	foreach(lc, paths)
	{
		Path	   *path = lfirst(lc);

		if (compare_path_costs(path, loop, TOTAL_COST) <= 0 &&
			(!joinrel->consider_startup ||
			 path->startup_cost <= loop->startup_cost) &&
			pathkeys_contained_in(loop->pathkeys, path->pathkeys) &&
			path->parallel_safe >= loop->parallel_safe &&
			bms_is_subset(PATH_REQ_OUTER(path), PATH_REQ_OUTER(loop)))
			return true;
	}
	return false;
}

/*
 * add_path() considers costs that differ by less than one percent as equal,
 * and then prefers a smaller startup cost, which loops have.  Therefore, a
 * loop must first be cheaper than the others by any amount.
 */
static List *
unbeaten(const RelOptInfo *joinrel, List *paths, List *loops)
{
	List	   *good = NIL;
	ListCell   *lc;

	foreach(lc, loops)
		if (!is_beaten(joinrel, paths, lfirst(lc)))
			good = lappend(good, lfirst(lc));
	return good;
}

static bool
may_cost_more(const SsdparPair *pair)
{
	return (has_plain_loop(pair, pair->joinrel->pathlist) ||
			has_plain_loop(pair, pair->joinrel->partial_pathlist)) &&
		ssdpar_has_hash_clause(pair);
}

/*
 * Reprices plain loops, and then compares them with rebuilt paths.  Returns
 * false if there is nothing to do.
 */
static bool
price_plain_loops(SsdparPair *pair, List *inner_paths, const Kept *kept)
{
	RelOptInfo *joinrel = pair->joinrel;
	List	   *loops;
	List	   *partial;

	if (!may_cost_more(pair))
		return false;
	loops = take_loops(pair, &joinrel->pathlist);
	partial = take_loops(pair, &joinrel->partial_pathlist);
	if (loops == NIL && partial == NIL)
		return false;
	ssdpar_join_again(pair, with_parameters_of(inner_paths, pair->outer),
					  false);
	add_paths(joinrel, kept->paths, kept->partial);
	add_paths(joinrel, unbeaten(joinrel, joinrel->pathlist, loops),
			  unbeaten(joinrel, joinrel->partial_pathlist, partial));
	return true;
}

static void
drop_loops(const SsdparPair *pair, List **paths)
{
	ListCell   *lc;

	foreach(lc, *paths)
		if (ssdpar_is_loop_of_pair(pair, lfirst(lc)))
			*paths = foreach_delete_current(*paths, lc);
}

/* Returns false if no path of the pair was repriced. */
static bool
price_pair(SsdparPair *pair, const Kept *kept)
{
	RelOptInfo *joinrel = pair->joinrel;
	List	   *inner_paths;

	if (ssdpar_without(SSDPAR_LOOP_PRICES))
		return false;
	inner_paths = ssdpar_inner_paths_by_runs(pair);
	if (inner_paths == NIL)
		return price_plain_loops(pair,
								 pair->inner->cheapest_parameterized_paths,
								 kept);
	drop_loops(pair, &joinrel->pathlist);
	drop_loops(pair, &joinrel->partial_pathlist);
	ssdpar_join_again(pair, inner_paths, true);
	if (!price_plain_loops(pair, inner_paths, kept))
		add_paths(joinrel, kept->paths, kept->partial);
	return true;
}

/* Copies core's and our paths; paths of other extensions are not kept. */
static Path *
copy_path(const Path *path)
{
	size_t		size;
	Path	   *copy;

	switch (nodeTag(path))
	{
		case T_NestPath:
			size = sizeof(NestPath);
			break;
		case T_MergePath:
			size = sizeof(MergePath);
			break;
		case T_HashPath:
			size = sizeof(HashPath);
			break;
		default:
			return ssdpar_copy_custom_path(path);
	}
	copy = palloc(size);
	memcpy(copy, path, size);
	return copy;
}

static List *
copy_paths(List *paths)
{
	List	   *copies = NIL;
	ListCell   *lc;

	foreach(lc, paths)
	{
		Path	   *copy = copy_path(lfirst(lc));

		if (copy != NULL)
			copies = lappend(copies, copy);
	}
	return copies;
}

static Kept *
find_kept(RelOptInfo *joinrel)
{
	Kept	   *kept;
	bool		found;

	if (statement.joins == NULL)
		statement.joins = kept_create(CurrentMemoryContext, 64, NULL);
	kept = kept_insert(statement.joins, joinrel, &found);
	if (!found)
	{
		kept->paths = NIL;
		kept->partial = NIL;
	}
	return kept;
}

/*
 * Excludes the genetic search, which frees relations and joins only a few of
 * them, and joins by a foreign server, which would be asked twice.
 */
static bool
prices_joins(PlannerInfo *root, const RelOptInfo *joinrel)
{
	return statement.planned && ssdpar_cost_model &&
		ssdpar_notes()->seconds_per_unit > 0.0 &&
		!ssdpar_genetic_search(root) && joinrel->fdwroutine == NULL;
}

void
ssdpar_price_loops(PlannerInfo *root, RelOptInfo *joinrel,
				   RelOptInfo *outerrel, RelOptInfo *innerrel,
				   JoinType jointype, JoinPathExtraData *extra)
{
	SsdparPair	pair = {root, joinrel, outerrel, innerrel, jointype, extra, 0,
	0};
	Kept	   *kept;

	if (!prices_joins(root, joinrel))
		return;
	kept = find_kept(joinrel);
	if (!price_pair(&pair, kept))
	{
		list_free_deep(kept->paths);
		list_free_deep(kept->partial);
	}
	if (!ssdpar_without(SSDPAR_LOOP_PRICES))
	{
		ssdpar_price_filter_runs(&pair);
		ssdpar_price_limited_loops(&pair);
	}
	kept->paths = NIL;
	kept->partial = NIL;
}

void
ssdpar_keep_joins(PlannerInfo *root, RelOptInfo *joinrel)
{
	Kept	   *kept;

	if (!prices_joins(root, joinrel))
		return;
	kept = find_kept(joinrel);
	kept->paths = copy_paths(joinrel->pathlist);
	kept->partial = copy_paths(joinrel->partial_pathlist);
}

SsdparLoopPrices
ssdpar_loop_prices_begin(void)
{
	SsdparLoopPrices outer = statement;

	statement = (SsdparLoopPrices) {true, NULL};
	return outer;
}

void
ssdpar_loop_prices_end(const SsdparLoopPrices *outer)
{
	statement = *outer;
}
