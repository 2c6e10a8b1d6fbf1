/*
 * follow.c
 *		Announces to ssdpard what the sequential scans of a query are about to
 *		read.
 *
 * To follow a scan is to look now and then at the block that its descriptor
 * stands on.  The executor has no place to do so from, but function pointers
 * that it calls for every tuple:
 *
 *		node with a filter		the filter's evalfunc: called also for tuples
 *								that the node never hands up
 *		node without one		the node's ExecProcNode
 *
 * To stand there for every tuple would cost several percent of a cached scan
 * (25 instructions a tuple, counted).  So a pointer is ours for one call only:
 * we look, put back what was there, and have a timer set it to ours again some
 * milliseconds later.  In between a scan runs as if nobody followed it.
 *
 * The timer's handler runs at any instruction of this process.  It writes only
 * pointers that the executor loads anew for every tuple, each of which is good
 * at any time: ours, or the one that was there.
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
#include "common/hashfn.h"
#include "executor/executor.h"
#include "miscadmin.h"
#include "nodes/extensible.h"
#include "nodes/nodeFuncs.h"
#include "storage/bufmgr.h"
#include "storage/proc.h"
#include "utils/rel.h"
#include "utils/timeout.h"

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

/* Between two looks at a scan; a fast one reads a few megabytes meanwhile. */
#define LOOK_MS 4

/* A scan node that is followed. */
typedef struct Follow
{
	struct Follow *next;		/* of this process */
	ScanState  *node;
	ExprState  *filter;			/* the node's, or NULL */
	ExprStateEvalFunc evalfunc; /* what was in filter, while ours is there */
	ExecProcNodeMtd exec;		/* what was in node, while ours is there */
	BlockNumber block;			/* where the scan was seen last */
	bool		early;			/* at most one block has been seen */

	bool		started;		/* what follows is valid */
	bool		local;			/* PrefetchBuffer instead of the daemon */
	bool		parallel;
	bool		announced;		/* anything at all has been sent */
	SsdparWindow window;
	SsdparRelationFile file;
	uint32		stream;
	uint32		tag;			/* parallel scans: what is common to all */
	SsdparCounters before;		/* the daemon's when the scan began */
} Follow;

static Follow *volatile follows = NULL; /* of all running queries */
static TimeoutId look_timeout = MAX_TIMEOUTS;

static Datum followed_filter(ExprState *filter, ExprContext *econtext,
							 bool *isnull);
static TupleTableSlot *followed_exec(PlanState *ps);

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
	if (!follow->local && (unused > 0 || follow->parallel))
		ssdpar_client_cancel(follow->stream);
}

/* The same in all processes of a parallel scan, and in hardly another. */
static uint32
make_tag(Follow *follow)
{
	PGPROC	   *leader = MyProc->lockGroupLeader;
	struct
	{
		int			leader;
		int			node;
		Oid			number;
	}			scan = {
		leader != NULL ? leader->pid : MyProcPid,
		follow->node->ps.plan->plan_node_id,
		follow->file.number,
	};

	return hash_bytes((const unsigned char *) &scan, sizeof(scan));
}

static void
start_following(Follow *follow, HeapScanDesc scan, bool backward)
{
	follow->parallel = scan->rs_base.rs_parallel != NULL;
	start_window(follow, scan, backward);
	follow->stream = ssdpar_client_new_stream();
	follow->tag = make_tag(follow);
	ssdpar_client_progress(&follow->before);
	follow->announced = false;
	follow->started = true;
}

static SsdparFollowed
follow_window(Follow *follow, HeapScanDesc scan, SsdparSpan *span)
{
	ParallelBlockTableScanWorker worker = scan->rs_parallelworkerdata;
	ParallelBlockTableScanDesc shared =
		(ParallelBlockTableScanDesc) scan->rs_base.rs_parallel;
	uint64	   *common = ssdpar_common_word(follow->tag);

	if (!follow->parallel || worker == NULL)
		return ssdpar_window_follow(&follow->window, follow->block, span);
	if (common != NULL &&
		ssdpar_window_can_share(&follow->window, worker->phsw_chunk_size))
		return ssdpar_window_follow_shared(&follow->window,
										   pg_atomic_read_u64(&shared->phs_nallocated),
										   common, follow->tag, span);
	return ssdpar_window_follow_chunk(&follow->window, follow->block,
									  worker->phsw_nallocated +
									  worker->phsw_chunk_remaining + 1,
									  span);
}

/* The scan stands on another block than it did, or on none. */
static void
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

/* Be called for the next tuple.  Also called by the timer's handler. */
static void
stand_in(Follow *follow)
{
	PlanState  *ps = &follow->node->ps;

	if (follow->filter != NULL)
	{
		if (follow->filter->evalfunc != followed_filter)
		{
			follow->evalfunc = follow->filter->evalfunc;
			pg_compiler_barrier();
			follow->filter->evalfunc = followed_filter;
		}
	}
	else if (ps->ExecProcNode != followed_exec)
	{
		follow->exec = ps->ExecProcNode;
		pg_compiler_barrier();
		ps->ExecProcNode = followed_exec;
	}
}

static void
time_to_look(void)
{
	for (Follow *follow = follows; follow != NULL; follow = follow->next)
		stand_in(follow);
}

/*
 * See where the scan is, and when to look again: at its second block, from
 * which on it is worth being followed, then by the timer.
 */
static void
look(Follow *follow)
{
	HeapScanDesc scan = (HeapScanDesc) follow->node->ss_currentScanDesc;

	if (scan != NULL && scan->rs_cblock != follow->block)
	{
		follow->early = !follow->started;
		block_changed(follow, scan);
	}
	if (!get_timeout_active(look_timeout))
		enable_timeout_after(look_timeout, LOOK_MS);
}

static Datum
followed_filter(ExprState *filter, ExprContext *econtext, bool *isnull)
{
	Follow	   *follow = follows;
	Datum		result;

	while (follow->filter != filter)
		follow = follow->next;
	filter->evalfunc = follow->evalfunc;
	look(follow);
	result = filter->evalfunc(filter, econtext, isnull);
	/* after the call, since the first one puts another function there */
	if (follow->early)
		stand_in(follow);
	return result;
}

static TupleTableSlot *
followed_exec(PlanState *ps)
{
	Follow	   *follow = follows;
	TupleTableSlot *slot;

	while (&follow->node->ps != ps)
		follow = follow->next;
	ps->ExecProcNode = follow->exec;
	slot = ps->ExecProcNode(ps);
	look(follow);
	if (follow->early)
		stand_in(follow);
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
	Follow	   *before = follows;

	/* the handler must not find what is no longer there */
	if (before == follow)
		follows = follow->next;
	else
	{
		while (before->next != follow)
			before = before->next;
		before->next = follow->next;
	}
	pg_compiler_barrier();
	cancel(follow);
	ssdpar_client_settle();
}

/*
 * The last look: between two of them a scan may have gone on, or come to its
 * end, where it stands on no block.
 */
void
ssdpar_follow_end(QueryDesc *query)
{
	for (Follow *follow = follows; follow != NULL; follow = follow->next)
	{
		HeapScanDesc scan =
			(HeapScanDesc) follow->node->ss_currentScanDesc;

		if (follow->node->ps.state == query->estate && follow->started &&
			scan != NULL)
			ssdpar_window_end(&follow->window, scan->rs_cblock);
	}
}

static void
follow_node(ScanState *node)
{
	EState	   *estate = node->ps.state;
	MemoryContext old = MemoryContextSwitchTo(estate->es_query_cxt);
	Follow	   *follow = palloc0(sizeof(Follow));
	MemoryContextCallback *callback = palloc0(sizeof(*callback));

	follow->node = node;
	follow->filter = node->ps.qual;
	follow->early = true;
	follow->block = InvalidBlockNumber;
	follow->local = ssdpar_prefetch == SSDPAR_PREFETCH_LOCAL;
	ssdpar_relation_file(&follow->file, node->ss_currentRelation,
						 MAIN_FORKNUM);
	callback->func = stop_following;
	callback->arg = follow;
	MemoryContextRegisterResetCallback(estate->es_query_cxt, callback);
	MemoryContextSwitchTo(old);
	follow->next = follows;
	pg_compiler_barrier();
	follows = follow;
	stand_in(follow);
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

/*
 * Is it this scan that the setting means?  The processes of a parallel scan
 * overlap reading and computing by themselves; on a fast device the daemon
 * may then take CPU time from them.  Seen in one noisy demo run only (SSB Q0,
 * scale 1, cold, 2 workers on 2 cores: 0.41 s without it, 0.83 s with it).
 */
static bool
is_chosen(PlanState *ps)
{
	return ssdpar_prefetch != SSDPAR_PREFETCH_AUTO ||
		!ps->plan->parallel_aware;
}

static bool
visit_node(PlanState *ps, void *context)
{
	if ((IsA(ps, SeqScanState) || is_block_partition(ps)) &&
		is_chosen(ps) &&
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
	if (look_timeout == MAX_TIMEOUTS)
		look_timeout = RegisterTimeout(USER_TIMEOUT, time_to_look);
	visit_node(query->planstate, NULL);
}
