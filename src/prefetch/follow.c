/*
 * follow.c
 *		Announces to ssdpard what the sequential scans of a query are about to
 *		read.
 *
 * A scan node is followed by looking, each time it has come to a tuple, at the
 * block that its scan descriptor stands on.  Where one can look:
 *
 *		node with a filter		its filter: we are called with every tuple, also
 *								those that the node never hands up
 *		node without one		its ExecProcNode: every tuple comes out there
 *
 * Either way a tuple costs one indirect call and one comparison; what is to be
 * announced is thought about once a block.  In parallel scans every process
 * follows the blocks that it was handed.
 *
 * Nothing of the executor is called here that could change what it does.  How
 * far to look ahead is window.c's business, how it is sent client.c's.
 *
 * The server's read streams (17 and later) have taken up to a few megabytes
 * more than the descriptor shows.  The window is larger than that, and what
 * lies behind the stream's position is found cached.
 */
#include "postgres.h"

#include "access/heapam.h"
#include "access/relscan.h"
#include "access/tableam.h"
#include "executor/executor.h"
#include "nodes/extensible.h"
#include "nodes/nodeFuncs.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"

#include "compat.h"
#include "partition/partition_path.h"
#include "prefetch/client.h"
#include "prefetch/follow.h"
#include "prefetch/window.h"
#include "settings.h"
#include "stats/counters.h"

/* How far to look ahead at the beginning of a scan. */
#define FIRST_BYTES (1024 * 1024)

/* How much must have been found cached before a table counts as cached. */
#define ENOUGH_BYTES (2 * FIRST_BYTES)

/* A scan node that is followed. */
typedef struct Follow
{
	ScanState  *node;
	BlockNumber block;			/* where the scan was seen last */
	struct Follow *next;		/* of this process */
	ExecProcNodeMtd exec;		/* node without filter: what we stand before */

	bool		started;		/* what follows is valid */
	bool		local;			/* PrefetchBuffer instead of the daemon */
	bool		parallel;
	bool		announced;		/* anything at all has been sent */
	SsdparWindow window;
	SsdparRelationFile file;
	uint32		stream;
	SsdparCounters before;		/* the daemon's when the scan began */
} Follow;

/*
 * Stands in for a node's filter.  The executor calls evalfunc through the
 * ExprState it finds in the node, so a copy with another one is enough.
 */
typedef struct FollowedFilter
{
	ExprState	expr;			/* must be first */
	ExprState  *original;
	Follow	   *follow;
} FollowedFilter;

static Follow *follows = NULL;	/* without filter, of all running queries */
static Follow *latest = NULL;	/* the one that was looked up last */

/*
 * Announcing.
 */

static void
announce_to_daemon(Follow *follow, SsdparSpan span)
{
	uint32_t	block;
	uint32_t	count;

	ssdpar_client_begin(SSDPAR_CLASS_SEQUENTIAL, follow->stream);
	while (ssdpar_window_next_read(&follow->window, &span, &block, &count))
		follow->announced |= ssdpar_client_add(&follow->file, block, count);
	ssdpar_client_end();
}

static void
announce_to_server(Follow *follow, SsdparSpan span)
{
	Relation	rel = follow->node->ss_currentRelation;
	uint32_t	block;
	uint32_t	count;

	while (ssdpar_window_next_read(&follow->window, &span, &block, &count))
	{
		for (uint32 i = 0; i < count; i++)
			PrefetchBuffer(rel, MAIN_FORKNUM, block + i);
		ssdpar_count(SSDPAR_COUNT_LOCAL, count);
	}
	follow->announced = true;
}

/*
 * Has what was announced turned out to be cached?  What lies close to the scan
 * does not count, for the kernel reads ahead there itself.  Other scans of
 * this session count too; then this one is just not found out.
 */
static bool
seems_cached(Follow *follow, const SsdparSpan *span)
{
	const SsdparWindowSizes *sizes = &follow->window.sizes;
	uint64		enough = ENOUGH_BYTES / BLCKSZ / sizes->io;
	SsdparCounters now;
	uint64		cached;

	ssdpar_client_progress(&now);
	cached = now.cached - follow->before.cached;
	if (now.served != follow->before.served ||
		!ssdpar_window_is_far(&follow->window, span))
	{
		follow->before = now;
		return false;
	}
	if (cached < Max(enough, 1))
		return false;
	follow->before = now;
	return true;
}

static void
announce(Follow *follow, SsdparSpan span)
{
	if (follow->local)
	{
		announce_to_server(follow, span);
		return;
	}
	if (seems_cached(follow, &span))
		ssdpar_window_quiet(&follow->window, &span);
	else
		announce_to_daemon(follow, span);
}

/*
 * Following.
 */

static uint32
blocks_of_kb(int kb)
{
	return Max((uint64) kb * 1024 / BLCKSZ, 1);
}

static void
start_window(Follow *follow, HeapScanDesc scan, bool backward)
{
	SsdparWindowSizes sizes = {
		.window = blocks_of_kb(ssdpar_prefetch_window),
		.first = FIRST_BYTES / BLCKSZ,
		.io = blocks_of_kb(ssdpar_prefetch_io_size),
		.segment = RELSEG_SIZE,
	};
	BlockNumber start = scan->rs_startblock;

	if (follow->parallel)
	{
		ParallelBlockTableScanDesc shared =
			(ParallelBlockTableScanDesc) scan->rs_base.rs_parallel;

		start = shared->phs_startblock;
	}
	if (start >= scan->rs_nblocks)
		start = 0;
	ssdpar_window_init(&follow->window, &sizes, scan->rs_nblocks, start,
					   backward);
}

static void
cancel(Follow *follow)
{
	uint64		unused;

	if (!follow->started || !follow->announced)
		return;
	unused = ssdpar_window_unused(&follow->window);
	ssdpar_count(SSDPAR_COUNT_WASTED, unused / follow->window.sizes.io);
	if (!follow->local && unused > 0)
		ssdpar_client_cancel(follow->stream);
}

static void
start_following(Follow *follow, HeapScanDesc scan, bool backward)
{
	follow->parallel = scan->rs_base.rs_parallel != NULL;
	start_window(follow, scan, backward);
	follow->stream = ssdpar_client_new_stream();
	ssdpar_client_progress(&follow->before);
	follow->announced = false;
	follow->started = true;
}

static SsdparFollowed
follow_window(Follow *follow, HeapScanDesc scan, SsdparSpan *span)
{
	ParallelBlockTableScanWorker worker = scan->rs_parallelworkerdata;

	if (!follow->parallel || worker == NULL)
		return ssdpar_window_follow(&follow->window, follow->block, span);
	return ssdpar_window_follow_chunk(&follow->window, follow->block,
									  worker->phsw_nallocated +
									  worker->phsw_chunk_remaining + 1,
									  worker->phsw_chunk_size, span);
}

/* The scan stands on another block than it did, or on none. */
static pg_noinline void
block_changed(Follow *follow, HeapScanDesc scan)
{
	bool		backward =
		ScanDirectionIsBackward(follow->node->ps.state->es_direction);
	SsdparSpan	span;

	follow->block = scan->rs_cblock;
	if (!BlockNumberIsValid(follow->block) ||
		follow->block >= scan->rs_nblocks)
		return;
	if (follow->started && follow->window.backward != backward)
	{
		cancel(follow);
		follow->started = false;
	}
	if (!follow->started)
		start_following(follow, scan, backward);
	switch (follow_window(follow, scan, &span))
	{
		case SSDPAR_FOLLOW_NOTHING:
			break;
		case SSDPAR_FOLLOW_ANNOUNCE:
			announce(follow, span);
			break;
		case SSDPAR_FOLLOW_RESTART:
			if (!follow->local)
				ssdpar_client_cancel(follow->stream);
			break;
	}
}

static inline void
look(Follow *follow)
{
	HeapScanDesc scan = (HeapScanDesc) follow->node->ss_currentScanDesc;

	if (scan != NULL && unlikely(scan->rs_cblock != follow->block))
		block_changed(follow, scan);
}

static Datum
followed_filter(ExprState *state, ExprContext *econtext, bool *isnull)
{
	FollowedFilter *filter = (FollowedFilter *) state;

	look(filter->follow);
	return filter->original->evalfunc(filter->original, econtext, isnull);
}

/* A node has no room for a pointer of ours, but mostly it is the same node. */
static pg_noinline void
look_up(ScanState *node)
{
	latest = follows;
	while (latest->node != node)
		latest = latest->next;
}

static TupleTableSlot *
followed_exec(PlanState *ps)
{
	TupleTableSlot *slot;

	if (unlikely(latest == NULL || &latest->node->ps != ps))
		look_up((ScanState *) ps);
	slot = latest->exec(ps);

	/* the call may have run another query's nodes */
	if (unlikely(latest == NULL || &latest->node->ps != ps))
		look_up((ScanState *) ps);
	look(latest);
	return slot;
}

/*
 * Which nodes.
 */

/* Called when the memory of a query goes away, for whatever reason. */
static void
stop_following(void *arg)
{
	Follow	   *follow = arg;

	cancel(follow);
	for (Follow **link = &follows; *link; link = &(*link)->next)
		if (*link == follow)
		{
			*link = follow->next;
			break;
		}
	if (latest == follow)
		latest = NULL;
	ssdpar_client_settle();
}

static void
stand_before_node(Follow *follow)
{
	PlanState  *ps = &follow->node->ps;

	if (ps->qual)
	{
		FollowedFilter *filter = palloc(sizeof(FollowedFilter));

		filter->expr = *ps->qual;
		filter->expr.evalfunc = followed_filter;
		filter->original = ps->qual;
		filter->follow = follow;
		ps->qual = &filter->expr;
		return;
	}
	follow->exec = ps->ExecProcNodeReal;
	follow->next = follows;
	follows = follow;
	ps->ExecProcNodeReal = followed_exec;
}

static void
follow_node(ScanState *node)
{
	EState	   *estate = node->ps.state;
	MemoryContext old = MemoryContextSwitchTo(estate->es_query_cxt);
	Follow	   *follow = palloc0(sizeof(Follow));
	MemoryContextCallback *callback = palloc0(sizeof(*callback));

	follow->node = node;
	follow->block = InvalidBlockNumber;
	follow->local = ssdpar_prefetch == SSDPAR_PREFETCH_LOCAL;
	ssdpar_relation_file(&follow->file, node->ss_currentRelation,
						 MAIN_FORKNUM);
	callback->func = stop_following;
	callback->arg = follow;
	MemoryContextRegisterResetCallback(estate->es_query_cxt, callback);
	stand_before_node(follow);
	MemoryContextSwitchTo(old);
}

/* A table whose pages come through the OS page cache, and large enough. */
static bool
worth_following(Relation rel)
{
	return rel != NULL && !RelationUsesLocalBuffers(rel) &&
		rel->rd_tableam == GetHeapamTableAmRoutine() &&
		RelationGetNumberOfBlocks(rel) >=
		blocks_of_kb(ssdpar_prefetch_min_size);
}

/* The SsdparPartition of a fact, which scans it block by block. */
static bool
is_block_partition(PlanState *ps)
{
	CustomScan *plan = (CustomScan *) ps->plan;

	return IsA(ps, CustomScanState) &&
		strcmp(plan->methods->CustomName, "SsdparPartition") == 0 &&
		intVal(list_nth(plan->custom_private, SSDPAR_PRIVATE_KIND)) ==
		SSDPAR_PARTITION_BLOCKS;
}

static bool
visit_node(PlanState *ps, void *context)
{
	if ((IsA(ps, SeqScanState) || is_block_partition(ps)) &&
		worth_following(((ScanState *) ps)->ss_currentRelation))
		follow_node((ScanState *) ps);
	return planstate_tree_walker(ps, visit_node, context);
}

/* local is the server's own read stream, where there is one. */
static bool
somebody_reads_ahead(void)
{
#ifdef SSDPAR_HAS_READ_STREAM
	if (ssdpar_prefetch == SSDPAR_PREFETCH_LOCAL)
		return false;
#endif
	return ssdpar_prefetch != SSDPAR_PREFETCH_OFF && !ssdpar_direct_io();
}

void
ssdpar_follow_query(QueryDesc *query)
{
	if (query->planstate == NULL || !somebody_reads_ahead())
		return;
	if (query->estate->es_top_eflags & EXEC_FLAG_EXPLAIN_ONLY)
		return;
	visit_node(query->planstate, NULL);
}
