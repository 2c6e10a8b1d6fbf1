/*
 * hook_functions.c
 *		Simulates hooks of other extensions during planning.
 */
#include "postgres.h"

#include "executor/spi.h"
#include "fmgr.h"
#include "nodes/pathnodes.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/plancat.h"
#include "optimizer/planner.h"
#include "utils/builtins.h"
#include "utils/index_selfuncs.h"
#include "utils/memutils.h"

#include "base/planner_compat.h"

PG_FUNCTION_INFO_V1(ssdpar_test_tables_shown_early);
PG_FUNCTION_INFO_V1(ssdpar_test_indexes_in_front);
PG_FUNCTION_INFO_V1(ssdpar_test_paths_of_parents);
PG_FUNCTION_INFO_V1(ssdpar_test_scans_beside);
PG_FUNCTION_INFO_V1(ssdpar_test_plan_without_memory);

static SsdparRelationHook previous_relation;
static int64 shown_early;

/*
 * Core makes lists of a level's conditions before it looks up its tables, and
 * other extensions rely on that.
 */
static void
count_early(SSDPAR_RELATION_PARAMETERS)
{
	Node	   *quals = root->parse->jointree->quals;

	if (previous_relation)
		previous_relation(SSDPAR_RELATION_ARGUMENTS);
	if (quals != NULL && !IsA(quals, List))
		shown_early++;
}

/* Returns the number of ssdpar's nodes in the plan. */
static int64
explain(FunctionCallInfo fcinfo)
{
	int64		ours = 0;

	SPI_connect();
	SPI_execute(psprintf("EXPLAIN %s",
						 text_to_cstring(PG_GETARG_TEXT_PP(0))), false, 0);
	for (uint64 row = 0; row < SPI_processed; row++)
	{
		const char *line = SPI_getvalue(SPI_tuptable->vals[row],
										SPI_tuptable->tupdesc, 1);

		ours += strstr(line, "(Ssdpar") != NULL;
	}
	SPI_finish();
	return ours;
}

/* Explains the function's query with this hook of another extension. */
static void
explain_shown(FunctionCallInfo fcinfo, SsdparRelationHook hook)
{
	previous_relation = SSDPAR_RELATION_HOOK;
	SSDPAR_RELATION_HOOK = hook;
	PG_TRY();
	{
		(void) explain(fcinfo);
	}
	PG_FINALLY();
	{
		SSDPAR_RELATION_HOOK = previous_relation;
	}
	PG_END_TRY();
}

/* tables_shown_early(query text) returns bigint */
Datum
ssdpar_test_tables_shown_early(PG_FUNCTION_ARGS)
{
	shown_early = 0;
	explain_shown(fcinfo, count_early);
	PG_RETURN_INT64(shown_early);
}

static int64 put_in_front;

/* Like an index advisor that asks for the benefit of an index. */
static void
put_index(SSDPAR_RELATION_PARAMETERS)
{
	IndexOptInfo *index;

	if (previous_relation)
		previous_relation(SSDPAR_RELATION_ARGUMENTS);
	if (rel->indexlist == NIL)
		return;
	index = makeNode(IndexOptInfo);
	*index = *linitial_node(IndexOptInfo, rel->indexlist);
	index->hypothetical = true;
	index->amcostestimate = btcostestimate;
	rel->indexlist = lcons(index, rel->indexlist);
	put_in_front++;
}

/* indexes_in_front(query text) returns bigint */
Datum
ssdpar_test_indexes_in_front(PG_FUNCTION_ARGS)
{
	put_in_front = 0;
	explain_shown(fcinfo, put_index);
	PG_RETURN_INT64(put_in_front);
}

static set_rel_pathlist_hook_type previous_set_rel_pathlist;

/* The same with another kind of hook. */
static int64
explain_with(FunctionCallInfo fcinfo, set_rel_pathlist_hook_type hook)
{
	int64		ours = 0;

	previous_set_rel_pathlist = set_rel_pathlist_hook;
	set_rel_pathlist_hook = hook;
	PG_TRY();
	{
		ours = explain(fcinfo);
	}
	PG_FINALLY();
	{
		set_rel_pathlist_hook = previous_set_rel_pathlist;
	}
	PG_END_TRY();
	return ours;
}

static int64 paths_of_parents;

/*
 * Like TimescaleDB: the table becomes a parent only here, and its only path is
 * that over its children.
 */
static void
make_parent(PlannerInfo *root, RelOptInfo *rel, Index rti, RangeTblEntry *rte)
{
	List	   *paths = rel->pathlist;

	rel->pathlist = NIL;
	rte->inh = true;
	if (previous_set_rel_pathlist)
		previous_set_rel_pathlist(root, rel, rti, rte);
	paths_of_parents += list_length(rel->pathlist);
	rel->pathlist = paths;
	rte->inh = false;
}

/* paths_of_parents(query text) returns bigint */
Datum
ssdpar_test_paths_of_parents(PG_FUNCTION_ARGS)
{
	paths_of_parents = 0;
	(void) explain_with(fcinfo, make_parent);
	PG_RETURN_INT64(paths_of_parents);
}

static int64 scans_beside;

/* Wraps core's paths in nodes that core does not use there. */
static List *
as_others(List *paths)
{
	List	   *theirs = NIL;
	ListCell   *lc;

	foreach(lc, paths)
	{
		Path	   *path = lfirst(lc);
		MaterialPath *other = makeNode(MaterialPath);

		other->path = *path;
		other->path.type = T_MaterialPath;
		other->path.pathtype = T_Material;
		other->subpath = path;
		theirs = lappend(theirs, other);
	}
	return theirs;
}

/*
 * Like TimescaleDB for a chunk with some compressed rows: all of its paths
 * read more than the table itself.
 */
static void
read_elsewhere(PlannerInfo *root, RelOptInfo *rel, Index rti,
			   RangeTblEntry *rte)
{
	List	   *theirs = as_others(rel->pathlist);
	ListCell   *lc;

	if (rte->rtekind != RTE_RELATION || rte->inh)
	{
		if (previous_set_rel_pathlist)
			previous_set_rel_pathlist(root, rel, rti, rte);
		return;
	}
	rel->pathlist = list_copy(theirs);
	rel->partial_pathlist = NIL;
	if (previous_set_rel_pathlist)
		previous_set_rel_pathlist(root, rel, rti, rte);
	foreach(lc, rel->pathlist)
		scans_beside += !IsA(lfirst(lc), MaterialPath);
	scans_beside += list_length(rel->partial_pathlist);
	rel->pathlist = theirs;
	rel->partial_pathlist = NIL;
}

/* scans_beside(query text) returns bigint */
Datum
ssdpar_test_scans_beside(PG_FUNCTION_ARGS)
{
	int64		ours;

	scans_beside = 0;
	ours = explain_with(fcinfo, read_elsewhere);
	PG_RETURN_INT64(scans_beside + ours);
}

static planner_hook_type previous_planner;

/*
 * Explains the function's query with this planner hook of another extension.
 */
static void
explain_planned_by(FunctionCallInfo fcinfo, planner_hook_type hook)
{
	previous_planner = planner_hook;
	planner_hook = hook;
	PG_TRY();
	{
		(void) explain(fcinfo);
	}
	PG_FINALLY();
	{
		planner_hook = previous_planner;
	}
	PG_END_TRY();
}

/* Plans in the given memory context. */
static PlannedStmt *
plan_in(MemoryContext context, SSDPAR_PLANNER_PARAMETERS)
{
	MemoryContext outer = MemoryContextSwitchTo(context);
	PlannedStmt *planned = previous_planner ?
		previous_planner(SSDPAR_PLANNER_ARGUMENTS(parse)) :
		standard_planner(SSDPAR_PLANNER_ARGUMENTS(parse));

	MemoryContextSwitchTo(outer);
	return planned;
}

/* A slab has chunks of one size, and raises an error for any other size. */
static PlannedStmt *
plan_without_memory(SSDPAR_PLANNER_PARAMETERS)
{
	MemoryContext slab = SlabContextCreate(CurrentMemoryContext, "no memory",
										   SLAB_DEFAULT_BLOCK_SIZE, 1);

	return plan_in(slab, SSDPAR_PLANNER_ARGUMENTS(parse));
}

/* plan_without_memory(query text) returns void */
Datum
ssdpar_test_plan_without_memory(PG_FUNCTION_ARGS)
{
	explain_planned_by(fcinfo, plan_without_memory);
	PG_RETURN_VOID();
}
