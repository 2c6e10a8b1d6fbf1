/*
 * planner_compat.h
 *		The part of compat.h for the planner.
 */
#ifndef SSDPAR_PLANNER_COMPAT_H
#define SSDPAR_PLANNER_COMPAT_H

#include "nodes/pathnodes.h"
#include "optimizer/cost.h"
#include "optimizer/geqo.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/plancat.h"
#include "utils/selfuncs.h"

#include "base/compat.h"

/*
 * Makes a path lose against every other possible path.  Since 18, paths count
 * disabled nodes; older versions add a huge cost.
 */
static inline void
ssdpar_disable_path(Path *path)
{
#if PG_VERSION_NUM >= 180000
	path->disabled_nodes++;
	Assert(path->disabled_nodes > 0);
#else
	path->startup_cost += disable_cost;
	path->total_cost += disable_cost;
	/* a negative cost would undo a part of the addition */
	Assert(path->total_cost >= disable_cost);
#endif
}

/* Has the user, or a hint, disabled it? */
static inline bool
ssdpar_is_disabled_path(const Path *path)
{
#if PG_VERSION_NUM >= 180000
	return path->disabled_nodes > 0;
#else
	return path->total_cost >= disable_cost;
#endif
}

/* Since 18 a path counts the disabled nodes below it.  */
static inline void
ssdpar_copy_disabled_nodes(Path *path, const Path *from)
{
#if PG_VERSION_NUM >= 180000
	path->disabled_nodes = from->disabled_nodes;
#endif
}

/* Adds the disabled nodes of a further path below it (18). */
static inline void
ssdpar_add_disabled_nodes(Path *path, const Path *from)
{
#if PG_VERSION_NUM >= 180000
	path->disabled_nodes += from->disabled_nodes;
#endif
}

/*
 * Could a path of rel with these costs be kept?  It has the order and, since
 * 18, the disabled nodes of from.
 */
static inline bool
ssdpar_path_precheck(RelOptInfo *rel, Cost startup, Cost total,
					 const Path *from, bool partial)
{
#if PG_VERSION_NUM >= 190000
	return partial ?
		add_partial_path_precheck(rel, from->disabled_nodes, startup, total,
								  from->pathkeys) :
		add_path_precheck(rel, from->disabled_nodes, startup, total,
						  from->pathkeys, NULL);
#elif PG_VERSION_NUM >= 180000
	return partial ?
		add_partial_path_precheck(rel, from->disabled_nodes, total,
								  from->pathkeys) :
		add_path_precheck(rel, from->disabled_nodes, startup, total,
						  from->pathkeys, NULL);
#else
	return partial ? add_partial_path_precheck(rel, total, from->pathkeys) :
		add_path_precheck(rel, startup, total, from->pathkeys, NULL);
#endif
}

/*
 * The equalities that a join of two base relations would check; since 16 with
 * the special join that it is, which plain equalities do not depend on.
 */
static inline List *
ssdpar_join_equalities(PlannerInfo *root, RelOptInfo *outer,
					   RelOptInfo *inner)
{
	Relids		both = bms_union(outer->relids, inner->relids);

#if PG_VERSION_NUM >= 160000
	return generate_join_implied_equalities(root, both, outer->relids, inner,
											NULL);
#else
	return generate_join_implied_equalities(root, both, outer->relids, inner);
#endif
}

/* Since 16, the relid of an outer join in sets of relations; 0: none. */
static inline Index
ssdpar_outer_join_relid(const SpecialJoinInfo *join)
{
#if PG_VERSION_NUM >= 160000
	return join->ojrelid;
#else
	return 0;
#endif
}

/* Is var above an outer join that may have made it NULL (since 16)?  */
static inline bool
ssdpar_is_null_extended(const Var *var)
{
#if PG_VERSION_NUM >= 160000
	return !bms_is_empty(var->varnullingrels);
#else
	return false;
#endif
}

/* The hook that sees a relation and its indexes; 19 put another in place. */
#if PG_VERSION_NUM >= 190000
typedef build_simple_rel_hook_type SsdparRelationHook;
#define SSDPAR_RELATION_HOOK build_simple_rel_hook
#define SSDPAR_RELATION_PARAMETERS \
	PlannerInfo *root, RelOptInfo *rel, RangeTblEntry *rte
#define SSDPAR_RELATION_ARGUMENTS root, rel, rte
#else
typedef get_relation_info_hook_type SsdparRelationHook;
#define SSDPAR_RELATION_HOOK get_relation_info_hook
#define SSDPAR_RELATION_PARAMETERS \
	PlannerInfo *root, Oid relation, bool inhparent, RelOptInfo *rel
#define SSDPAR_RELATION_ARGUMENTS root, relation, inhparent, rel
#endif

/*
 * Kinds of scans that the planner may use for a table: settings before 19,
 * then bits of the table.  Only for restoring what ssdpar_disable_scan_kind()
 * changes.
 */
static inline uint64
ssdpar_get_scan_kinds(RelOptInfo *rel)
{
#if PG_VERSION_NUM >= 190000
	return rel->pgs_mask;
#else
	return (enable_indexscan ? 1 : 0) | (enable_bitmapscan ? 2 : 0);
#endif
}

static inline void
ssdpar_put_scan_kinds(RelOptInfo *rel, uint64 kinds)
{
#if PG_VERSION_NUM >= 190000
	rel->pgs_mask = kinds;
#else
	enable_indexscan = (kinds & 1) != 0;
	enable_bitmapscan = (kinds & 2) != 0;
#endif
}

/* Disables index scans, or else bitmap scans, until they are restored. */
static inline void
ssdpar_disable_scan_kind(RelOptInfo *rel, bool index_scans)
{
#if PG_VERSION_NUM >= 190000
	rel->pgs_mask &= index_scans ?
		~(uint64) (PGS_INDEXSCAN | PGS_INDEXONLYSCAN) :
		~(uint64) PGS_BITMAPSCAN;
#else
	if (index_scans)
		enable_indexscan = false;
	else
		enable_bitmapscan = false;
#endif
}

/* Since 19, extensions forbid scan and join methods by masks. */
#if PG_VERSION_NUM >= 190000
#define SSDPAR_HAS_ADVICE_MASKS
#endif

/*
 * Makes the joins use rows only, not groups made from a table's rows before
 * joining (19).  Nothing in those groups could be disabled, because their
 * paths were made before joins are searched.
 */
static inline void
ssdpar_group_after_joins(PlannerInfo *root)
{
#if PG_VERSION_NUM >= 190000
	root->agg_clause_list = NIL;
#endif
}

/* The path that removes duplicates of sorted rows; 19 shortened its name. */
#if PG_VERSION_NUM >= 190000
#define SSDPAR_T_UNIQUE_PATH T_UniquePath
typedef UniquePath SsdparUniquePath;
#else
#define SSDPAR_T_UNIQUE_PATH T_UpperUniquePath
typedef UpperUniquePath SsdparUniquePath;
#endif

/* The input of a path that makes the inner side of a semijoin unique. */
static inline Path *
ssdpar_made_unique(Path *path)
{
#if PG_VERSION_NUM < 190000
	if (IsA(path, UniquePath))
		return ((UniquePath *) path)->subpath;
#endif
	return NULL;
}

/*
 * Does the table have at most one row, because a unique key equals constants?
 */
static inline bool
ssdpar_is_unique_by_constants(PlannerInfo *root, RelOptInfo *rel)
{
#if PG_VERSION_NUM >= 190000
	return relation_has_unique_index_for(root, rel, NIL, NULL);
#else
	return relation_has_unique_index_for(root, rel, NIL, NIL, NIL);
#endif
}

/* Ways of joining two relations; nested loops over Material are of both. */
#define SSDPAR_JOIN_MATERIAL	1
#define SSDPAR_JOIN_LOOP		2
#define SSDPAR_JOIN_MERGE		4
#define SSDPAR_JOIN_HASH		8

/*
 * Join methods that the planner may use: settings before 19, then bits of the
 * join.  forbid disables some of them and returns what allow needs to restore
 * them.
 */
static inline uint64
ssdpar_forbid_joins(RelOptInfo *joinrel, int ways)
{
#if PG_VERSION_NUM >= 190000
	uint64		before = joinrel->pgs_mask;
	uint64		forbidden = 0;

	if (ways & SSDPAR_JOIN_MATERIAL)
		forbidden |= PGS_NESTLOOP_MATERIALIZE;
	if (ways & SSDPAR_JOIN_LOOP)
		forbidden |= PGS_NESTLOOP_ANY;
	if (ways & SSDPAR_JOIN_MERGE)
		forbidden |= PGS_MERGEJOIN_ANY;
	joinrel->pgs_mask &= ~forbidden;
#else
	uint64		before = enable_material * SSDPAR_JOIN_MATERIAL +
		enable_nestloop * SSDPAR_JOIN_LOOP +
		enable_mergejoin * SSDPAR_JOIN_MERGE;

	enable_material = enable_material && !(ways & SSDPAR_JOIN_MATERIAL);
	enable_nestloop = enable_nestloop && !(ways & SSDPAR_JOIN_LOOP);
	enable_mergejoin = enable_mergejoin && !(ways & SSDPAR_JOIN_MERGE);
#endif
	return before;
}

static inline void
ssdpar_allow_joins(RelOptInfo *joinrel, uint64 before)
{
#if PG_VERSION_NUM >= 190000
	joinrel->pgs_mask = before;
#else
	enable_material = (before & SSDPAR_JOIN_MATERIAL) != 0;
	enable_nestloop = (before & SSDPAR_JOIN_LOOP) != 0;
	enable_mergejoin = (before & SSDPAR_JOIN_MERGE) != 0;
#endif
}

/* May the planner use parameterized nested loops? */
static inline bool
ssdpar_may_loop(const PlannerInfo *root)
{
#if PG_VERSION_NUM >= 190000
	return (root->glob->default_pgs_mask & PGS_NESTLOOP_PLAIN) != 0;
#else
	return enable_nestloop;
#endif
}

/*
 * May the planner use nested loops for this pair, and plain index scans for
 * this table?
 */
static inline bool
ssdpar_may_loop_by_index(const JoinPathExtraData *extra,
						 const RelOptInfo *inner)
{
#if PG_VERSION_NUM >= 190000
	return (extra->pgs_mask & PGS_NESTLOOP_PLAIN) != 0 &&
		(inner->pgs_mask & PGS_INDEXSCAN) != 0;
#else
	return enable_nestloop && enable_indexscan;
#endif
}

/* Marks a Var as set to NULL by the same outer joins as another one (16). */
static inline void
ssdpar_copy_null_extension(Var *var, const Var *from)
{
#if PG_VERSION_NUM >= 160000
	var->varnullingrels = from->varnullingrels;
#endif
}

/* An unordered append of paths, or of partial paths. */
static inline Path *
ssdpar_append_path(PlannerInfo *root, RelOptInfo *rel, List *paths,
				   List *partial_paths, int workers, bool parallel_aware)
{
#if PG_VERSION_NUM >= 190000
	AppendPathInput input = {
		.subpaths = paths,
		.partial_subpaths = partial_paths,
	};

	return (Path *) create_append_path(root, rel, input, NIL, NULL, workers,
									   parallel_aware, -1);
#else
	return (Path *) create_append_path(root, rel, paths, partial_paths, NIL,
									   NULL, workers, parallel_aware, -1);
#endif
}

/*
 * Number of elements of an array: exact for a constant, a guess for a
 * parameter.
 */
static inline double
ssdpar_array_length(PlannerInfo *root, Node *array)
{
#if PG_VERSION_NUM >= 170000
	return estimate_array_length(root, array);
#else
	return estimate_array_length(array);
#endif
}

/* 19 can create the path as a disabled one. */
#if PG_VERSION_NUM >= 190000
#define ssdpar_create_material_path create_material_path
#else
#define ssdpar_create_material_path(rel, path, enabled) \
	create_material_path(rel, path)
#endif

/* Since 19, the planner knows the EXPLAIN for which it plans. */
#if PG_VERSION_NUM >= 190000
#define SSDPAR_PLANNER_PARAMETERS \
	Query *parse, const char *query_string, int cursor_options, \
	ParamListInfo bound_params, ExplainState *es
#define SSDPAR_PLANNER_ARGUMENTS(query) \
	query, query_string, cursor_options, bound_params, es
#else
#define SSDPAR_PLANNER_PARAMETERS \
	Query *parse, const char *query_string, int cursor_options, \
	ParamListInfo bound_params
#define SSDPAR_PLANNER_ARGUMENTS(query) \
	query, query_string, cursor_options, bound_params
#endif

/* Is the genetic algorithm searching joins now? */
static inline bool
ssdpar_genetic_search(PlannerInfo *root)
{
#if PG_VERSION_NUM >= 190000
	return Geqo_planner_extension_id >= 0 && GetGeqoPrivateData(root) != NULL;
#else
	return root->join_search_private != NULL;
#endif
}

#endif							/* SSDPAR_PLANNER_COMPAT_H */
