/*
 * covering.c
 *		Offers star scans that replace joins: paths of a join relation that
 *		consists of a fact and of dimensions which a star scan of the fact
 *		already checks.
 *
 * Such a path is one of the fact's star scans in which the reducers of these
 * dimensions are joined: their children also return the columns that are
 * needed above.  The additional cost is to store these by key, and to look up
 * the partner of each row.  Core compares the path with its joins.  Dimensions
 * that the star scan checks and that are not in joinrel are joined above as
 * usual, and so are those below a dimension.  star/covered_join.c proves that
 * the result is joinrel's.
 *
 * If the fact has partitions, SsdparStarKeys, above their scans, joins their
 * rows as they arrive; its paths are of the same kind.
 */
#include "postgres.h"

#include "miscadmin.h"
#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "optimizer/pathnode.h"
#include "optimizer/tlist.h"

#include "base/advice.h"
#include "base/compat.h"
#include "base/planner_compat.h"
#include "base/settings.h"
#include "base/without.h"
#include "cost/parallel.h"
#include "keys/key_rows.h"
#include "star/covered_join.h"
#include "starscan/plan/covering.h"
#include "starscan/plan/keys_path.h"
#include "starscan/plan/path.h"

/*
 * These are compared with core's joins, so they use its terms.  A hash join
 * charges an operator per outer row, and next to nothing for those that find a
 * partner.  It expects few matches, because it does not know that the star
 * scan has dropped the other rows.  Looking up a row is cheaper than the test
 * of core's hash table and creates no tuple.  Storing a row costs the same as
 * there, but the dimension need not be scanned once more.
 *
 * KEPT_TUPLES	in units of cpu_tuple_cost, a row of a dimension
 * FOUND_OPERATORS	in units of cpu_operator_cost, a row's partner
 */
#define KEPT_TUPLES 1.0
#define FOUND_OPERATORS 0.3

/* A join relation that a star scan may cover. */
typedef struct Cover
{
	PlannerInfo *root;
	RelOptInfo *joinrel;
	RelOptInfo *fact;
	List	   *dimensions;		/* SsdparDimensions of joinrel */
} Cover;

/*
 * Returns path if it is a star scan of a table or of all partitions of one,
 * else NULL.
 */
static SsdparStarPath *
joining_path(Path *path)
{
	SsdparStarPath *star = ssdpar_star_path(path);

	return star != NULL ? star : ssdpar_keys_path(path);
}

static bool
has_star_paths(RelOptInfo *rel)
{
	ListCell   *lc;

	foreach(lc, rel->pathlist)
	{
		if (joining_path(lfirst(lc)) != NULL)
			return true;
	}
	foreach(lc, rel->partial_pathlist)
	{
		if (joining_path(lfirst(lc)) != NULL)
			return true;
	}
	return false;
}

/* Returns the relation of joinrel that has star scans, or NULL. */
static RelOptInfo *
find_fact(PlannerInfo *root, RelOptInfo *joinrel)
{
	int			rti = -1;

	while ((rti = bms_next_member(joinrel->relids, rti)) >= 0)
	{
		RelOptInfo *rel = root->simple_rel_array[rti];

		/* NULL: an outer join */
		if (rel != NULL && has_star_paths(rel))
			return rel;
	}
	return NULL;
}

/* Returns the star scan's dimensions that are in joinrel. */
static List *
dimensions_within(const SsdparStarPath *star, RelOptInfo *joinrel)
{
	List	   *within = NIL;
	ListCell   *lc;

	foreach(lc, star->dimensions)
	{
		SsdparDimension *dimension = lfirst(lc);

		if (bms_is_subset(dimension->rel->relids, joinrel->relids))
			within = lappend(within, dimension);
	}
	return within;
}

/* Does star check all of joinrel's relations except the fact? */
static bool
checks_all(const Cover *cover, const SsdparStarPath *star)
{
	return list_length(dimensions_within(star, cover->joinrel)) ==
		bms_num_members(cover->joinrel->relids) - 1;
}

/* Memory for a dimension's rows, stored by key. */
static double
kept_bytes(double rows, int width, int ncolumns)
{
	return rows * (width + (ncolumns + 4) * sizeof(uint64));
}

/*
 * Half of what a hash table may use, because the key sets use as much and the
 * estimate may be too low.  Core limits the memory of hashed subplans in the
 * same way, by its estimate.
 */
static double
most_bytes(void)
{
	return get_hash_memory_limit() / 2;
}

/*
 * Returns the child extended by the columns of its dimension that are needed
 * above.
 */
static Path *
widen_child(const Cover *cover, Path *child, SsdparReducer *reducer,
			List **joined_columns)
{
	PathTarget *target = copy_pathtarget(child->pathtarget);
	List	   *wanted = cover->joinrel->reltarget->exprs;
	ListCell   *lc;

	reducer->joined = true;
	reducer->joined_columns = palloc_array(AttrNumber, list_length(wanted));
	foreach(lc, wanted)
	{
		Var		   *var = lfirst_node(Var, lc);
		int			place = 0;
		ListCell   *column;

		if (var->varno != (int) reducer->dimension)
			continue;
		add_new_column_to_pathtarget(target, (Expr *) var);
		foreach(column, target->exprs)
		{
			place++;
			if (equal(lfirst(column), var))
				break;
		}
		reducer->joined_columns[reducer->njoined_columns++] = place;
		*joined_columns = lappend(*joined_columns, var);
	}
	set_pathtarget_cost_width(cover->root, target);
	return (Path *)
		create_projection_path(cover->root, child->parent,
							   castNode(ProjectionPath, child)->subpath,
							   target);
}

/*
 * Creates the children and the plan of star, with joinrel's dimensions joined.
 * Returns the bytes that their rows will take.
 */
static double
join_reducers(const Cover *cover, const SsdparStarPath *base,
			  SsdparStarPath *star)
{
	SsdparStarPlan *plan = palloc_object(SsdparStarPlan);
	double		bytes = 0;

	*plan = *base->plan;
	plan->reducers = palloc_array(SsdparReducer, plan->nreducers);
	memcpy(plan->reducers, base->plan->reducers,
		   plan->nreducers * sizeof(SsdparReducer));
	star->plan = plan;
	star->children = NIL;
	star->joined_columns = NIL;
	for (int i = 0; i < plan->nreducers; i++)
	{
		SsdparReducer *reducer = &plan->reducers[i];
		Path	   *child = list_nth(base->children, i);

		if (reducer->target == SSDPAR_TARGET_FACT &&
			bms_is_member(reducer->dimension, cover->joinrel->relids))
		{
			child = widen_child(cover, child, reducer, &star->joined_columns);
			bytes += kept_bytes(child->rows, child->pathtarget->width,
								reducer->njoined_columns);
		}
		star->children = lappend(star->children, child);
	}
	return bytes;
}

/*
 * The rows of joinrel, except those that base drops by dimensions not in
 * joinrel.  A row of base has at most one partner in each dimension of
 * joinrel.
 */
static double
covered_rows(const Cover *cover, const SsdparStarPath *star, const Path *base)
{
	double		rows = cover->joinrel->rows /
		ssdpar_parallel_divisor(base->parallel_workers);

	return bms_is_subset(ssdpar_dimension_relids(star->dimensions),
						 cover->joinrel->relids) ? rows :
		Min(rows, base->rows);
}

/*
 * Adds the cost of joining to that of base; one process reads the dimensions.
 */
static void
price_joins(const Cover *cover, const Path *base, SsdparStarPath *star)
{
	Path	   *path = &star->custom.path;
	QualCost	target = cover->joinrel->reltarget->cost;
	Cost		keep = target.startup;
	Cost		find = base->rows * list_length(cover->dimensions) *
		FOUND_OPERATORS * cpu_operator_cost;
	ListCell   *lc;

	path->rows = clamp_row_est(covered_rows(cover, star, base));
	foreach(lc, cover->dimensions)
	{
		SsdparDimension *dimension = lfirst(lc);

		keep += dimension->rel->rows * KEPT_TUPLES * cpu_tuple_cost;
	}
	path->startup_cost += keep;
	path->total_cost += keep + find + target.per_tuple * path->rows;
}

/*
 * Converts base to a path of joinrel.  Returns NULL if rows of dimensions
 * would take too much memory.
 */
static Path *
make_covering_path(const Cover *cover, const SsdparStarPath *base)
{
	SsdparStarPath *star =
		(SsdparStarPath *) newNode(sizeof(SsdparStarPath), T_CustomPath);
	Path	   *path = &star->custom.path;

	*star = *base;
	star->fact = cover->fact;
	path->parent = cover->joinrel;
	path->pathtarget = cover->joinrel->reltarget;
	if (join_reducers(cover, base, star) > most_bytes() ||
		list_length(star->joined_columns) > SSDPAR_MAX_ROW_COLUMNS ||
		(star->joined_columns != NIL && ssdpar_without(SSDPAR_STAR_COLUMNS)))
		return NULL;
	price_joins(cover, &base->custom.path, star);
	return path;
}

static void
offer_paths(const Cover *cover)
{
	RelOptInfo *joinrel = cover->joinrel;
	ListCell   *lc;

	foreach(lc, cover->fact->pathlist)
	{
		SsdparStarPath *base = joining_path(lfirst(lc));
		Path	   *path = base != NULL && checks_all(cover, base) ?
			make_covering_path(cover, base) : NULL;

		if (path != NULL)
			add_path(joinrel, path);
	}
	if (!joinrel->consider_parallel)
		return;
	foreach(lc, cover->fact->partial_pathlist)
	{
		SsdparStarPath *base = joining_path(lfirst(lc));
		Path	   *path = base != NULL && checks_all(cover, base) &&
			base->custom.path.parallel_safe ?
			make_covering_path(cover, base) : NULL;

		if (path != NULL)
			add_partial_path(joinrel, path);
	}
}

/*
 * Finds the dimensions of the first star scan of the fact that checks them
 * all.
 */
static bool
find_dimensions(Cover *cover)
{
	List	   *paths = list_concat_copy(cover->fact->pathlist,
										 cover->fact->partial_pathlist);
	ListCell   *lc;

	foreach(lc, paths)
	{
		SsdparStarPath *star = joining_path(lfirst(lc));

		if (star == NULL || !checks_all(cover, star))
			continue;
		cover->dimensions = dimensions_within(star, cover->joinrel);
		return true;
	}
	return false;
}

/*
 * The hook is called for each pair that forms joinrel, in both orders.  The
 * pair of one dimension and all the rest is used.  If there are several
 * dimensions, the paths are offered repeatedly, and add_path() rejects the
 * duplicates.
 */
void
ssdpar_offer_covering_scans(PlannerInfo *root, RelOptInfo *joinrel,
							RelOptInfo *outerrel, RelOptInfo *innerrel,
							JoinType jointype, JoinPathExtraData *extra)
{
	Cover		cover = {.root = root, .joinrel = joinrel};

	if (!ssdpar_star_scan || joinrel->reloptkind != RELOPT_JOINREL ||
		innerrel->reloptkind != RELOPT_BASEREL ||
		(jointype != JOIN_INNER && jointype != JOIN_SEMI) ||
		!bms_is_empty(joinrel->lateral_relids) || IS_DUMMY_REL(joinrel) ||
		ssdpar_join_is_advised(root, extra) ||
		ssdpar_without(SSDPAR_STAR_JOINS))
		return;
	cover.fact = find_fact(root, joinrel);
	if (cover.fact != NULL && cover.fact != innerrel &&
		find_dimensions(&cover) &&
		ssdpar_join_is_covered(root, joinrel, cover.fact, cover.dimensions))
		offer_paths(&cover);
}

/* Upper bound: all columns that are needed anywhere above. */
static double
dimension_bytes(const SsdparDimension *dimension)
{
	const PathTarget *target = dimension->rel->reltarget;

	return kept_bytes(dimension->rel->rows, target->width,
					  list_length(target->exprs));
}

List *
ssdpar_joined_besides(PlannerInfo *root, List *dimensions, List *keeping_all)
{
	int			room = SSDPAR_MAX_REDUCERS -
		bms_num_members(ssdpar_dimension_relids(dimensions));
	double		bytes = 0;
	int			ncolumns = 0;
	List	   *besides = NIL;
	ListCell   *lc;

	if (ssdpar_without(SSDPAR_STAR_JOINS) ||
		ssdpar_without(SSDPAR_STAR_COLUMNS))
		return NIL;
	foreach(lc, dimensions)
	{
		const SsdparDimension *dimension = lfirst(lc);

		if (ssdpar_dimension_may_be_covered(root, dimension))
		{
			bytes += dimension_bytes(dimension);
			ncolumns += list_length(dimension->rel->reltarget->exprs);
		}
	}
	foreach(lc, keeping_all)
	{
		SsdparDimension *dimension = lfirst(lc);

		bytes += dimension_bytes(dimension);
		ncolumns += list_length(dimension->rel->reltarget->exprs);
		if (bytes > most_bytes() || ncolumns > SSDPAR_MAX_ROW_COLUMNS ||
			list_length(besides) == room)
			break;
		if (dimension->below == NIL &&
			ssdpar_dimension_may_be_covered(root, dimension))
			besides = lappend(besides, dimension);
	}
	return besides;
}
