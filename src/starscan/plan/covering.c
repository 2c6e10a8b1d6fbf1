/*
 * covering.c
 *		Offers star scans that take the place of joins: paths of a join relation
 *		that consists of a fact and of dimensions which a star scan of it checks
 *		already.
 *
 * Such a path is one of the fact's star scans whose reducers of these
 * dimensions are joined: their children put out the columns that are wanted
 * above as well.  What it costs more is to keep these by key, and to look up
 * each row's.  Core compares it with its joins.  Dimensions that the star scan
 * checks and joinrel has not are joined above, as ever; so are those below a
 * dimension.  That the result is joinrel's is proved in star/covered_join.c.
 *
 * Of a fact with partitions SsdparStarKeys, above their scans, joins their rows
 * as they come: its paths are of the same kind.
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
 * These are compared with core's joins, so they are in its terms.  A hash join
 * charges an operator for each outer row, and next to nothing for those that
 * find a partner: it thinks that few do, as it does not know that the star scan
 * has dropped the others.  Looking up a row takes less than a test by core's
 * hash table and makes no tuple; keeping a row takes what it takes there, but
 * for scanning the dimension once more.
 *
 * KEPT_TUPLES	in units of cpu_tuple_cost, a row of a dimension
 * FOUND_OPERATORS in units of cpu_operator_cost, a row's partner
 */
#define KEPT_TUPLES 1.0
#define FOUND_OPERATORS 0.3

/* A join relation that a star scan may cover. */
typedef struct Cover
{
	PlannerInfo *root;
	RelOptInfo *joinrel;
	RelOptInfo *fact;
	List	   *dimensions;		/* SsdparDimension, those of joinrel */
} Cover;

/* A star scan of a table, or those of all partitions of one; NULL: neither. */
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

/* The one of joinrel's relations that has star scans; NULL if none has. */
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

/* Those of the star scan's dimensions that joinrel has. */
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

/* Does star check all of joinrel's relations but the fact? */
static bool
checks_all(const Cover *cover, const SsdparStarPath *star)
{
	return list_length(dimensions_within(star, cover->joinrel)) ==
		bms_num_members(cover->joinrel->relids) - 1;
}

/* What is kept of a dimension's rows, by key. */
static double
kept_bytes(double rows, int width, int ncolumns)
{
	return rows * (width + (ncolumns + 4) * sizeof(uint64));
}

/*
 * Half of what a hash table may take: the key sets take as much, and the
 * estimate may be too low.  Core bounds what it keeps of a subplan in the same
 * way, by its estimate.
 */
static double
most_bytes(void)
{
	return get_hash_memory_limit() / 2;
}

/* The child, putting out columns of its dimension that are wanted above too. */
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
 * The children and the plan of star, with joinrel's dimensions joined.  Returns
 * the bytes that their rows will take.
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
 * Rows of joinrel, but for those that base drops by dimensions that joinrel has
 * not: a row of base has one partner at most in each that it has.
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

/* What joining adds to the cost of base; one process reads the dimensions. */
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
 * base as a path of joinrel; NULL if rows of dimensions would take too much
 * memory.
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

/* The dimensions of the first star scan of the fact that checks them all. */
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
 * The hook is called for each pair that makes up joinrel, in both orders.  That
 * of a dimension with all the rest will do; that it is offered again, where
 * there are several dimensions, is left to add_path().
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

/* The most that is kept of it: all columns that anything above wants. */
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
