/*
 * compat.h
 *		The only place that depends on the server version.
 *
 * Policy by kind of difference:
 *	- a function that gained or lost arguments: a static inline or macro
 *	  ssdpar_<name>() here with the newest signature; call sites use only it;
 *	- a facility that older servers lack: a macro SSDPAR_HAS_<FACILITY> here;
 *	  call sites test that, never the version;
 *	- a struct field that was added or removed: an accessor here.
 * Nothing outside this file, and planner_compat.h for the planner, tests
 * PG_VERSION_NUM.
 */
#ifndef SSDPAR_COMPAT_H
#define SSDPAR_COMPAT_H

#if PG_VERSION_NUM < 150000 || PG_VERSION_NUM >= 200000
#error "ssdpar builds against PostgreSQL 15 to 19"
#endif

#include "access/genam.h"
#include "access/heapam.h"
#include "access/nbtree.h"
#include "access/relscan.h"
#include "access/tableam.h"
#include "commands/explain.h"
#include "common/relpath.h"
#include "executor/executor.h"
#include "nodes/execnodes.h"
#include "nodes/pathnodes.h"
#include "parser/parse_relation.h"
#include "portability/instr_time.h"
#include "tcop/tcopprot.h"
#include "storage/buf_internals.h"
#include "storage/bufmgr.h"
#include "storage/fd.h"
#include "storage/smgr.h"
#include "utils/guc.h"
#include "utils/rel.h"
#include "utils/wait_event.h"

/* Headers that newer servers split off from older ones. */
#if PG_VERSION_NUM >= 160000
#include "common/file_utils.h"
#include "varatt.h"
#endif
#if PG_VERSION_NUM >= 190000
#include "executor/instrument_node.h"
#endif
#if PG_VERSION_NUM >= 180000
#include "commands/explain_format.h"
#include "commands/explain_state.h"
#include "storage/aio.h"
#include "storage/io_worker.h"
#endif

/* 16 added typed allocation. */
#ifndef palloc_array
#define palloc_array(type, count) ((type *) palloc(sizeof(type) * (count)))
#define palloc_object(type) ((type *) palloc(sizeof(type)))
#define palloc0_object(type) ((type *) palloc0(sizeof(type)))
#endif

/* Uses a custom wait event if the server has them (17), else "Extension". */
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

/* What EXPLAIN does for a query if no hook is set; exported since 17. */
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

	/* utility statements do not reach the hook that this replaces */
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

/* Parameters of ExecutorRun and its hook; 18 dropped the last one. */
#if PG_VERSION_NUM >= 180000
#define SSDPAR_EXECUTOR_RUN_PARAMETERS \
	QueryDesc *query, ScanDirection direction, uint64 count
#define SSDPAR_EXECUTOR_RUN_ARGUMENTS query, direction, count
#else
#define SSDPAR_EXECUTOR_RUN_PARAMETERS \
	QueryDesc *query, ScanDirection direction, uint64 count, bool execute_once
#define SSDPAR_EXECUTOR_RUN_ARGUMENTS query, direction, count, execute_once
#endif

/* Since 17, sequential scans use a read stream. */
#if PG_VERSION_NUM >= 170000
#define SSDPAR_HAS_READ_STREAM
#endif

/*
 * Since 18, a stream batches reads if its callback neither blocks nor reads.
 */
#if PG_VERSION_NUM >= 180000
#define SSDPAR_STREAM_FLAGS READ_STREAM_USE_BATCHING
#elif PG_VERSION_NUM >= 170000
#define SSDPAR_STREAM_FLAGS READ_STREAM_DEFAULT
#endif

/* EXPLAIN shows what a stream of reads has done since 19. */
#if PG_VERSION_NUM >= 190000
#define SSDPAR_HAS_EXPLAIN_IO
#endif

/* 19 added flags to scans and their slots. */
#if PG_VERSION_NUM >= 190000
#define ssdpar_table_beginscan table_beginscan
#define ssdpar_table_beginscan_parallel table_beginscan_parallel
#define ssdpar_table_beginscan_tidrange table_beginscan_tidrange
#define ssdpar_table_index_fetch_begin table_index_fetch_begin
#define ssdpar_init_scan_tuple_slot ExecInitScanTupleSlot
#else
#define SO_NONE 0
#define ssdpar_table_beginscan(rel, snapshot, nkeys, key, flags) \
	((void) (flags), table_beginscan(rel, snapshot, nkeys, key))
#define ssdpar_table_beginscan_parallel(rel, parallel, flags) \
	((void) (flags), table_beginscan_parallel(rel, parallel))
#define ssdpar_table_beginscan_tidrange(rel, snapshot, first, last, flags) \
	table_beginscan_tidrange(rel, snapshot, first, last)
#define ssdpar_table_index_fetch_begin(rel, flags) \
	table_index_fetch_begin(rel)
#define ssdpar_init_scan_tuple_slot(estate, scan, descriptor, ops, flags) \
	ExecInitScanTupleSlot(estate, scan, descriptor, ops)
#endif

/*
 * 19 can divide a part of a table's blocks among parallel processes; use all.
 */
#if PG_VERSION_NUM >= 190000
#define ssdpar_parallel_scan_begin_blocks(rel, own, all) \
	table_block_parallelscan_startblock_init(rel, own, all, \
											 InvalidBlockNumber, \
											 InvalidBlockNumber)
#else
#define ssdpar_parallel_scan_begin_blocks(rel, own, all) \
	table_block_parallelscan_startblock_init(rel, own, all)
#endif

/* 19 separated the counters of a plan node from those of a statement. */
#if PG_VERSION_NUM >= 190000
typedef NodeInstrumentation SsdparNodeInstrumentation;
typedef WorkerNodeInstrumentation SsdparWorkerInstrumentation;
#else
typedef Instrumentation SsdparNodeInstrumentation;
typedef WorkerInstrumentation SsdparWorkerInstrumentation;
#endif

static inline SsdparNodeInstrumentation *
ssdpar_instrument_node(int options)
{
#if PG_VERSION_NUM >= 190000
	return InstrAllocNode(options, false);
#else
	return InstrAlloc(1, options, false);
#endif
}

/* True under EXPLAIN ANALYZE, and the like, with TIMING. */
static inline bool
ssdpar_node_is_timed(const SsdparNodeInstrumentation *instrument)
{
#if PG_VERSION_NUM >= 190000
	return instrument != NULL && instrument->instr.need_timer;
#else
	return instrument != NULL && instrument->need_timer;
#endif
}

/* Time of a node, including the nodes below it. */
static inline double
ssdpar_node_seconds(const SsdparNodeInstrumentation *instrument)
{
#if PG_VERSION_NUM >= 190000
	return INSTR_TIME_GET_DOUBLE(instrument->instr.total);
#else
	return instrument->total;
#endif
}

/* Prunes a heap page if core would; 19 may also need the visibility map. */
static inline void
ssdpar_prune_page(Relation rel, Buffer buffer)
{
#if PG_VERSION_NUM >= 190000
	Buffer		map = InvalidBuffer;

	heap_page_prune_opt(rel, buffer, &map, false);
	if (BufferIsValid(map))
		ReleaseBuffer(map);
#else
	heap_page_prune_opt(rel, buffer);
#endif
}

/* Do table files bypass the OS page cache?  Possible since 16. */
static inline bool
ssdpar_direct_io(void)
{
#if PG_VERSION_NUM >= 160000
	return (io_direct_flags & IO_DIRECT_DATA) != 0;
#else
	return false;
#endif
}

/* The identity of a relation's files; 16 renamed all fields. */
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

/* Path of the first file of a permanent relation's fork. */
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
									   -1 /* not temporary */ , fork);

	strlcpy(path, name, size);
	pfree(name);
#endif
}

/* Path of the first file of any relation's fork, even a temporary one. */
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

/* Does the server itself read ahead asynchronously, without the kernel? */
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
 * kB that each of several concurrent read streams keeps outstanding under
 * asynchronous I/O, as limited by the pins that it may hold and by its part of
 * the I/O workers.
 */
static inline double
ssdpar_stream_kb(double streams)
{
#if PG_VERSION_NUM >= 180000
	double		request = io_combine_limit * (BLCKSZ / 1024.0);
	double		kb = Min(GetPinLimit() * (BLCKSZ / 1024.0),
						 effective_io_concurrency * request);

	if (io_method != IOMETHOD_WORKER)
		return kb;
#if PG_VERSION_NUM >= 190000
	return Min(kb, io_max_workers * request / streams);
#else
	return Min(kb, io_workers * request / streams);
#endif
#else
	return 0.0;
#endif
}

/*
 * Raises an error if the page may have lost rows that the snapshot would see,
 * which old_snapshot_threshold allows until 16.
 */
static inline void
ssdpar_check_old_snapshot(Snapshot snapshot, Relation rel, Page page)
{
#if PG_VERSION_NUM < 170000
	TestForOldSnapshot(snapshot, rel, page);
#endif
}

/* Privileges that execution will check for a table or view. */
typedef struct SsdparRights
{
	AclMode		wanted;			/* 0: none */
	Oid			user;			/* InvalidOid: the current one */
	Bitmapset  *columns;		/* selected, with the server's offset */
} SsdparRights;

static inline SsdparRights
ssdpar_rights_of(const Query *level, RangeTblEntry *rte)
{
#if PG_VERSION_NUM >= 160000
	RTEPermissionInfo *info;

	if (rte->perminfoindex == 0)
		return (SsdparRights) {0};
	info = getRTEPermissionInfo(level->rteperminfos, rte);
	return (SsdparRights) {info->requiredPerms, info->checkAsUser,
						   info->selectedCols};
#else
	return (SsdparRights) {rte->requiredPerms, rte->checkAsUser,
						   rte->selectedCols};
#endif
}

/* The identity of a page in shared buffers. */
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

/* The server asks the kernel for neighbouring pages in one call since 17. */
#if PG_VERSION_NUM >= 170000
#define SSDPAR_HAS_RANGE_PREFETCH
#endif

/* Index scans take what is to be counted since 18. */
static inline IndexScanDesc
ssdpar_index_beginscan(Relation heap, Relation index, Snapshot snapshot,
					   int nkeys)
{
#if PG_VERSION_NUM >= 190000
	return index_beginscan(heap, index, snapshot, NULL, nkeys, 0, 0);
#elif PG_VERSION_NUM >= 180000
	return index_beginscan(heap, index, snapshot, NULL, nkeys, 0);
#else
	return index_beginscan(heap, index, snapshot, nkeys, 0);
#endif
}

#endif							/* SSDPAR_COMPAT_H */
