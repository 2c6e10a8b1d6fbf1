/*
 * compat.h
 *		The one place that knows which server version it is built for.
 *
 * Policy, by kind of difference:
 *	- a function that gained or lost arguments: a static inline or macro
 *	  ssdpar_<name>() here with the newest signature; call sites use only it;
 *	- a facility that older servers lack: a macro SSDPAR_HAS_<FACILITY> here;
 *	  call sites test that, never the version;
 *	- a struct field that came or went: an accessor here.
 * Nothing outside this file tests PG_VERSION_NUM.
 */
#ifndef SSDPAR_COMPAT_H
#define SSDPAR_COMPAT_H

#if PG_VERSION_NUM < 150000 || PG_VERSION_NUM >= 200000
#error "ssdpar builds against PostgreSQL 15 to 19"
#endif

#include "access/nbtree.h"
#include "access/relscan.h"
#include "access/tableam.h"
#include "commands/explain.h"
#include "common/relpath.h"
#include "executor/executor.h"
#include "nodes/execnodes.h"
#include "nodes/pathnodes.h"
#include "optimizer/cost.h"
#include "optimizer/pathnode.h"
#include "optimizer/paths.h"
#include "optimizer/plancat.h"
#include "portability/instr_time.h"
#include "tcop/tcopprot.h"
#include "storage/buf_internals.h"
#include "storage/bufmgr.h"
#include "storage/fd.h"
#include "storage/smgr.h"
#include "utils/guc.h"
#include "utils/guc_tables.h"
#include "utils/rel.h"
#include "utils/wait_event.h"

/* Headers that newer servers split off older ones. */
#if PG_VERSION_NUM >= 160000
#include "varatt.h"
#endif
#if PG_VERSION_NUM >= 180000
#include "commands/explain_format.h"
#include "commands/explain_state.h"
#include "storage/aio.h"
#endif

/* 16 brought typed allocation. */
#ifndef palloc_array
#define palloc_array(type, count) ((type *) palloc(sizeof(type) * (count)))
#define palloc_object(type) ((type *) palloc(sizeof(type)))
#define palloc0_object(type) ((type *) palloc0(sizeof(type)))
#endif

/*
 * Make a path lose against every other one that is possible at all.  Since 18
 * paths count disabled nodes; before, the planner added a huge cost.
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
	/* a price below zero would take back some of what was added */
	Assert(path->total_cost >= disable_cost);
#endif
}

/* What is disabled below a path counts in it since 18. */
static inline void
ssdpar_copy_disabled_nodes(Path *path, const Path *from)
{
#if PG_VERSION_NUM >= 180000
	path->disabled_nodes = from->disabled_nodes;
#endif
}

/*
 * Could a path of rel that costs this much be worth keeping?  It has from's
 * order, and in it is what from has disabled (18).
 */
static inline bool
ssdpar_path_precheck(RelOptInfo *rel, Cost startup, Cost total,
					 const Path *from, bool partial)
{
#if PG_VERSION_NUM >= 180000
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
 * The equalities that a join of relations with a base relation would check;
 * since 16 with the special join that it is, which plain equalities do not
 * depend on.
 */
static inline List *
ssdpar_set_equalities(PlannerInfo *root, Relids outer, RelOptInfo *inner)
{
	Relids		both = bms_union(outer, inner->relids);

#if PG_VERSION_NUM >= 160000
	return generate_join_implied_equalities(root, both, outer, inner, NULL);
#else
	return generate_join_implied_equalities(root, both, outer, inner);
#endif
}

/* The same for two base relations. */
static inline List *
ssdpar_join_equalities(PlannerInfo *root, RelOptInfo *outer,
					   RelOptInfo *inner)
{
	return ssdpar_set_equalities(root, outer->relids, inner);
}

/* What stands for an outer join in sets of relations since 16; 0: nothing. */
static inline Index
ssdpar_outer_join_relid(const SpecialJoinInfo *join)
{
#if PG_VERSION_NUM >= 160000
	return join->ojrelid;
#else
	return 0;
#endif
}

/* One of several forms of a clause, for outer joins in several orders (16)? */
static inline bool
ssdpar_is_clone(const RestrictInfo *clause)
{
#if PG_VERSION_NUM >= 160000
	return clause->has_clone || clause->is_clone;
#else
	return false;
#endif
}

/* Does var stand above an outer join that may have made it NULL (since 16)? */
static inline bool
ssdpar_is_null_extended(const Var *var)
{
#if PG_VERSION_NUM >= 160000
	return !bms_is_empty(var->varnullingrels);
#else
	return false;
#endif
}

/* A wait event of our own where the server has them (17), else "Extension". */
static inline uint32
ssdpar_wait_event(uint32 *cached, const char *name)
{
#if PG_VERSION_NUM >= 170000
	if (*cached == 0)
		*cached = WaitEventExtensionNew(name);
	return *cached;
#else
	return PG_WAIT_EXTENSION;
#endif
}

/* What EXPLAIN does with one query when no hook is set; exported since 17. */
static inline void
ssdpar_explain_as_core(Query *query, int cursor_options, IntoClause *into,
					   ExplainState *es, const char *query_string,
					   ParamListInfo params, QueryEnvironment *query_env)
{
#if PG_VERSION_NUM >= 170000
	standard_ExplainOneQuery(query, cursor_options, into, es, query_string,
							 params, query_env);
#else
	BufferUsage before = pgBufferUsage;
	BufferUsage used = {0};
	instr_time	start;
	instr_time	duration;
	PlannedStmt *plan;

	/* these never come to the hook in whose place this stands */
	Assert(query->commandType != CMD_UTILITY);
	INSTR_TIME_SET_CURRENT(start);
	plan = pg_plan_query(query, query_string, cursor_options, params);
	INSTR_TIME_SET_CURRENT(duration);
	INSTR_TIME_SUBTRACT(duration, start);
	BufferUsageAccumDiff(&used, &pgBufferUsage, &before);
	ExplainOnePlan(plan, into, es, query_string, params, query_env,
				   &duration, es->buffers ? &used : NULL);
#endif
}

/* The parameters of ExecutorRun and its hook; 18 dropped the last one. */
#if PG_VERSION_NUM >= 180000
#define SSDPAR_EXECUTOR_RUN_PARAMETERS \
	QueryDesc *query, ScanDirection direction, uint64 count
#define SSDPAR_EXECUTOR_RUN_ARGUMENTS query, direction, count
#else
#define SSDPAR_EXECUTOR_RUN_PARAMETERS \
	QueryDesc *query, ScanDirection direction, uint64 count, bool execute_once
#define SSDPAR_EXECUTOR_RUN_ARGUMENTS query, direction, count, execute_once
#endif

/* Sequential scans look ahead by themselves since 17. */
#if PG_VERSION_NUM >= 170000
#define SSDPAR_HAS_READ_STREAM
#endif

/* A hook that adds lines to any node in EXPLAIN came with 18. */
#if PG_VERSION_NUM >= 180000
#define SSDPAR_HAS_EXPLAIN_PER_NODE
#endif

/* Do table files bypass the OS page cache?  16 brought that possibility. */
static inline bool
ssdpar_direct_io(void)
{
#if PG_VERSION_NUM >= 160000
	return (io_direct_flags & IO_DIRECT_DATA) != 0;
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

/* What names a relation's files; 16 renamed all of it. */
static inline void
ssdpar_relation_locator(Relation rel, Oid *tablespace, Oid *database,
						Oid *number)
{
#if PG_VERSION_NUM >= 160000
	*tablespace = rel->rd_locator.spcOid;
	*database = rel->rd_locator.dbOid;
	*number = rel->rd_locator.relNumber;
#else
	*tablespace = rel->rd_node.spcNode;
	*database = rel->rd_node.dbNode;
	*number = rel->rd_node.relNode;
#endif
}

/* The path of the first file of a permanent relation's fork. */
static inline void
ssdpar_relation_path(Oid tablespace, Oid database, Oid number,
					 ForkNumber fork, char *path, size_t size)
{
#if PG_VERSION_NUM >= 180000
	RelPathStr	name = GetRelationPath(database, tablespace, number,
									   INVALID_PROC_NUMBER, fork);

	strlcpy(path, name.str, size);
#else
	char	   *name = GetRelationPath(database, tablespace, number,
									   -1 /* no session's own */ , fork);

	strlcpy(path, name, size);
	pfree(name);
#endif
}

/* The path of the first file of any relation's fork, temporary ones too. */
static inline void
ssdpar_fork_path(Relation rel, ForkNumber fork, char *path, size_t size)
{
#if PG_VERSION_NUM >= 180000
	RelPathStr	name = relpath(RelationGetSmgr(rel)->smgr_rlocator, fork);

	strlcpy(path, name.str, size);
#elif PG_VERSION_NUM >= 160000
	char	   *name = relpath(RelationGetSmgr(rel)->smgr_rlocator, fork);

	strlcpy(path, name, size);
	pfree(name);
#else
	char	   *name = relpath(RelationGetSmgr(rel)->smgr_rnode, fork);

	strlcpy(path, name, size);
	pfree(name);
#endif
}

/*
 * Which kinds of scans the planner may make of a table: settings before 19,
 * then bits of the table.  Only for putting back what disable has changed.
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

/* Disable index scans, or else bitmap scans, until then. */
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

/* Does the server itself read ahead of computing, without the kernel? */
static inline bool
ssdpar_asynchronous_io(void)
{
#if PG_VERSION_NUM >= 180000
	return io_method != IOMETHOD_SYNC;
#else
	return false;
#endif
}

/*
 * Fail if the page may have lost rows that the snapshot would see, as until 16
 * old_snapshot_threshold allows.
 */
static inline void
ssdpar_check_old_snapshot(Snapshot snapshot, Relation rel, Page page)
{
#if PG_VERSION_NUM < 170000
	TestForOldSnapshot(snapshot, rel, page);
#endif
}

/* The path that drops duplicates of sorted rows; 19 shortened its name. */
#if PG_VERSION_NUM >= 190000
#define SSDPAR_T_UNIQUE_PATH T_UniquePath
typedef UniquePath SsdparUniquePath;
#else
#define SSDPAR_T_UNIQUE_PATH T_UpperUniquePath
typedef UpperUniquePath SsdparUniquePath;
#endif

/* What names a page in shared buffers. */
static inline void
ssdpar_buffer_tag(BufferTag *tag, Relation rel, ForkNumber fork,
				  BlockNumber block)
{
#if PG_VERSION_NUM >= 160000
	InitBufferTag(tag, &rel->rd_locator, fork, block);
#else
	INIT_BUFFERTAG(*tag, rel->rd_node, fork, block);
#endif
}

/* Does the table have one row at most, by a unique key equal to constants? */
static inline bool
ssdpar_is_unique_by_constants(PlannerInfo *root, RelOptInfo *rel)
{
#if PG_VERSION_NUM >= 190000
	return relation_has_unique_index_for(root, rel, NIL, NULL);
#else
	return relation_has_unique_index_for(root, rel, NIL, NIL, NIL);
#endif
}

/* The same with joins: clauses has outer_is_left set in each of them. */
static inline bool
ssdpar_is_unique_by_clauses(PlannerInfo *root, RelOptInfo *rel, List *clauses)
{
#if PG_VERSION_NUM >= 190000
	return relation_has_unique_index_for(root, rel, clauses, NULL);
#else
	return relation_has_unique_index_for(root, rel, clauses, NIL, NIL);
#endif
}

/*
 * Which nested loops the planner may make of two relations: settings before
 * 19, then bits of their join.  forbid leaves those over Material out, or all;
 * allow puts back what it says.
 */
static inline uint64
ssdpar_forbid_loops(RelOptInfo *joinrel, bool all)
{
#if PG_VERSION_NUM >= 190000
	uint64		before = joinrel->pgs_mask;

	joinrel->pgs_mask &= ~(uint64) (all ? PGS_NESTLOOP_ANY :
									PGS_NESTLOOP_MATERIALIZE);
#else
	uint64		before = (enable_material ? 1 : 0) | (enable_nestloop ? 2 : 0);

	enable_material = false;
	if (all)
		enable_nestloop = false;
#endif
	return before;
}

static inline void
ssdpar_allow_loops(RelOptInfo *joinrel, uint64 before)
{
#if PG_VERSION_NUM >= 190000
	joinrel->pgs_mask = before;
#else
	enable_material = (before & 1) != 0;
	enable_nestloop = (before & 2) != 0;
#endif
}

/* The leaf to the left of the one that a btree scan is on; known since 18. */
static inline BlockNumber
ssdpar_btree_left_page(const BTScanPosData * position)
{
#if PG_VERSION_NUM >= 180000
	return position->prevPage;
#else
	return P_NONE;
#endif
}

/* The table of a running plan at this place of its range table. */
static inline Relation
ssdpar_range_table_relation(EState *estate, Index place)
{
#if PG_VERSION_NUM >= 180000
	return ExecGetRangeTableRelation(estate, place, false);
#else
	return ExecGetRangeTableRelation(estate, place);
#endif
}

/* May the planner make nested loops, and plain index scans of this table? */
static inline bool
ssdpar_may_loop_by_index(const RelOptInfo *join, const RelOptInfo *inner)
{
#if PG_VERSION_NUM >= 190000
	return (join->pgs_mask & PGS_NESTLOOP_PLAIN) != 0 &&
		(inner->pgs_mask & PGS_INDEXSCAN) != 0;
#else
	return enable_nestloop && enable_indexscan;
#endif
}

/* Have a Var be as NULL above outer joins as another one (16). */
static inline void
ssdpar_copy_null_extension(Var *var, const Var *from)
{
#if PG_VERSION_NUM >= 160000
	var->varnullingrels = from->varnullingrels;
#endif
}

/* The server asks the kernel for neighbouring pages in one call since 17. */
#if PG_VERSION_NUM >= 170000
#define SSDPAR_HAS_RANGE_PREFETCH
#endif

/*
 * Has nobody set effective_io_concurrency: in a file, for a role or database,
 * in the session?  Which value it has does not matter.
 */
static inline bool
ssdpar_io_concurrency_is_default(void)
{
	static const struct config_generic *setting = NULL;
	const char *name = "effective_io_concurrency";

#if PG_VERSION_NUM >= 160000
	if (setting == NULL)
		setting = find_option(name, false, true, ERROR);
#else
	struct config_generic **all = get_guc_variables();

	for (int i = 0; setting == NULL && i < GetNumConfigOptions(); i++)
		if (strcmp(all[i]->name, name) == 0)
			setting = all[i];
#endif
	return setting != NULL && setting->source <= PGC_S_DYNAMIC_DEFAULT;
}

/*
 * Has a bitmap heap scan that has not run yet read so many pages ahead.  Since
 * 18 its scan descriptor has a read stream, which takes its depth from
 * effective_io_concurrency when it is made, at the first row unless it is there
 * before; the scan hands it the bitmap then, as in a rescan.
 */
static inline void
ssdpar_set_bitmap_depth(BitmapHeapScanState *scan, int depth)
{
#if PG_VERSION_NUM >= 180000
	int			users PG_USED_FOR_ASSERTS_ONLY = effective_io_concurrency;
	int			level;
	char		value[16];
	TableScanDesc descriptor;
#if PG_VERSION_NUM >= 190000
	uint32		flags = ScanRelIsReadOnly(&scan->ss) ?
		SO_HINT_REL_READ_ONLY : SO_NONE;

	if (scan->ss.ps.state->es_instrument & INSTRUMENT_IO)
		flags |= SO_SCAN_INSTRUMENT;
#endif

	if (scan->ss.ss_currentScanDesc != NULL)
		return;
	Assert(!scan->initialized);
	snprintf(value, sizeof(value), "%d", depth);
	level = NewGUCNestLevel();
	(void) set_config_option("effective_io_concurrency", value, PGC_USERSET,
							 PGC_S_SESSION, GUC_ACTION_SAVE, true, 0, false);
	Assert(effective_io_concurrency == depth);
	descriptor = table_beginscan_bm(scan->ss.ss_currentRelation,
									scan->ss.ps.state->es_snapshot, 0, NULL
#if PG_VERSION_NUM >= 190000
									,flags
#endif
		);
	AtEOXact_GUC(true, level);
	Assert(effective_io_concurrency == users);

	/* no bitmap yet, which a rescan or the query's end would let go */
	memset(&descriptor->st.rs_tbmiterator, 0, sizeof(TBMIterator));
	scan->ss.ss_currentScanDesc = descriptor;
#else
	Assert(!scan->initialized);

	/* where it is 0 the scan reads nothing ahead, in any of its processes */
	if (scan->prefetch_maximum > 0)
		scan->prefetch_maximum = depth;
#endif
}

/*
 * A bitmap heap scan asks for one page after another up to 17, and its depth
 * can be changed while it runs; since 18 its read stream merges neighbours.
 */
#if PG_VERSION_NUM < 180000
#define SSDPAR_HAS_BITMAP_PREFETCH

/*
 * At most so far ahead from now on; what was asked for remains so.  The
 * processes of a parallel scan go by whether it is 0, and it must not become
 * that under way.
 */
static inline void
ssdpar_change_bitmap_depth(BitmapHeapScanState *scan, int depth)
{
	Assert(depth > 0 || !scan->ss.ps.plan->parallel_aware);
	scan->prefetch_maximum = depth;
	if (!scan->ss.ps.plan->parallel_aware)
		scan->prefetch_target = Min(scan->prefetch_target, depth);
}

/* Pages that this process has come to, and the one it stands on. */
static inline uint64
ssdpar_bitmap_pages(const BitmapHeapScanState *scan)
{
	return (uint64) scan->exact_pages + scan->lossy_pages;
}

static inline BlockNumber
ssdpar_bitmap_block(const BitmapHeapScanState *scan)
{
	return scan->tbmres != NULL ? scan->tbmres->blockno : InvalidBlockNumber;
}
#endif

#endif							/* SSDPAR_COMPAT_H */
