/*
 * loop_price.c
 *		Nested loops over an inner side without parameters, priced by what
 *		rows are to be expected rather than by what is estimated.
 *
 * Such a loop costs its inner side once for each outer row.  With one row
 * expected it is as cheap as a hash join, and with ten thousand found it takes
 * ten thousand times longer, where the hash join takes hardly more at all.  So
 * the pairs of rows that are to be expected beyond the estimate (spread.c) are
 * added to its price.  Leis et al. (How Good Are Query Optimizers, Really?,
 * 2015, section 4.1) do without these loops altogether and lose no query by it.
 *
 * A loop whose inner side is looked up by the outer row grows no faster than
 * its result, as any other join does; it keeps core's price, or that of its
 * number of lookups (loop_runs.c).  So does one that
 * no hash join can replace, one over a handful of rows, and one whose outer
 * rows are sure.
 *
 * Core compares a path with the others when it is made, and frees what loses.
 * So what has lost against a loop is made again after the loop has its price:
 * paths of the same two relations by core, in a second call without such loops;
 * paths of other pairs from copies that are kept of each pair's outcome.
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

/* Being compared with a page or two of rows costs too little to matter. */
#define TINY_INNER_ROWS 200.0

/* The paths of a join relation after the last of its pairs: copies. */
typedef struct Kept
{
	RelOptInfo *joinrel;
	List	   *paths;
	List	   *partial;
	char		status;			/* simplehash.h's */
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

/* Of the statement being planned, in its memory. */
static SsdparLoopPrices statement = {false, NULL};

static bool
is_first_match_enough(const SsdparPair *pair)
{
	return pair->jointype == JOIN_SEMI || pair->jointype == JOIN_ANTI ||
		pair->extra->inner_unique;
}

/*
 * The share of the inner side that an outer row is compared with: up to its
 * first match where that is enough, as in final_cost_nestloop().
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
 * The inner side once more, as cost_rescan() has it where it is in memory, and
 * then with so many times its rows.
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

/* What an outer row costs, with so many times the inner rows. */
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

/* Is the inner side a page or two in memory, and not by a guess? */
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
 * A star scan has fewer rows than its relation, by dimensions that are joined
 * above.  That it has one is no surer than they are, however well the
 * relation's own rows are known.
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
 * The price of the rows to be expected beyond those estimated, of both sides.
 * A single row is compared once, however many there are to compare it with.
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

/* A nested loop of this call of core's, over an inner side that is the same. */
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

/* Take out the loops that cost more than core thinks, and price them. */
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

/* Is there one that does the same for no more? */
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
 * To add_path() costs that differ by less than one in a hundred are the same,
 * and then it goes by the startup cost, which is a loop's strength: so a loop
 * has to be better than the others by any amount first.
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
 * Loops that compare rows, at the price of those to be expected: with it they
 * and the others have to be compared anew.  False if nothing of that is to do.
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

/* False if nothing of the pair needs a price. */
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

/* Core's own, and ours; what others have made stays or goes as core sees it. */
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
 * Not in a genetic search, which frees relations and joins only a few of them,
 * and not where a foreign server may join the two: it would be asked twice.
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
