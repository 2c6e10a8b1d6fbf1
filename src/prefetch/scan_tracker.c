/*
 * scan_tracker.c
 *		Tracks the scans of core's nodes, so that the blocks they are about
 *		to read can be announced (scan_window.c).
 *
 * To track a scan means to inspect from time to time the block in its
 * descriptor.  The executor has no hook for this, but it calls
 * these function pointers for every tuple:
 *
 *		node with a filter		the filter's evalfunc: also called for tuples
 *								that the node does not return
 *		node without one		the node's ExecProcNode
 *
 * To intercept every tuple would noticeably slow down a cached scan.
 * Therefore a pointer is armed, that is, set to our function, for one call
 * only: we restore core's function, call it, inspect the scan, and let a timer
 * arm the pointer again some milliseconds later.  In between a scan runs as if
 * it were not tracked.  If the next tuple should be inspected as well, as in a
 * scan that waits for the device, the pointer is armed immediately.  A custom
 * scan node needs none of this, because it calls scan_window.c itself.
 *
 * The following explains why this can neither loop nor outlive its node.  Our
 * two functions are the hooks; a pointer is core's if it contains what the
 * server's executor itself puts there.
 *
 *	1. A pointer is tracked once.  It is entered in the table of pointers
 *	   before it is armed.  A pointer that is found there, or does not contain
 *	   core's function of a node that has not run yet, is refused.
 *	2. A hook calls only core's functions, and none that it reads from a place
 *	   where other code could have stored it: ExecProcNodeFirst and
 *	   ExecProcNodeInstr are known by address (exec_functions.c), and
 *	   ExecProcNodeReal and the interpreter's evalfunc_private are copied while
 *	   the pointer is core's and has never been ours.  So nothing that a hook
 *	   calls leads back to it.  The only exception is code compiled by JIT,
 *	   which does not exist before the first call; it is read from the pointer
 *	   after that.
 *	3. A hook that is entered during its own call directly calls the function
 *	   that was copied before the pointer was first armed.  So whatever other
 *	   code does, even with that exception, a loop ends in its second turn.
 *	4. Only core's function after the first call is ever overwritten, by a
 *	   single store, and only core's function is restored, where ours is.  The
 *	   executor loads the pointer again for each tuple, and all these functions
 *	   are valid at any time.  If other code stores its function there, over
 *	   ours or instead of it, it stays; in the worst case the scan is no longer
 *	   tracked.
 *	5. The timer's handler may run at any instruction of this process.  It
 *	   reads the list of tracked queries and does (4), nothing else.  If it runs
 *	   after we have restored core's function and before we call it, the only
 *	   consequence is one more inspection.
 *	6. Everything that the handler finds is alive.  Pointers are in memory of
 *	   their query's context itself (others are refused), and so are the
 *	   trackers.  Both are removed from list and table by the one callback of
 *	   that context, which runs before its memory is freed, also after an
 *	   error.  A link is changed by a single store, after what it points to is
 *	   complete.
 *
 * Servers built with assertions check 1, 4 and 6 where it is cheap.
 *
 * A timer is lost, like all others, when an error reaches the top level (also
 * that of a savepoint).  Then cursors opened before are tracked again after
 * another scan sets it.  It is set only by an inspection, so an idle cursor
 * causes no wakeups.
 */
#include "postgres.h"

#include "executor/execExpr.h"
#include "executor/executor.h"
#include "executor/instrument.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"
#include "utils/timeout.h"

#include "base/compat.h"
#include "base/plan_walker.h"
#include "base/without.h"
#include "prefetch/exec_functions.h"
#include "prefetch/scan_tracker.h"
#include "base/settings.h"

/*
 * Time between two inspections of a scan; a fast scan reads a few megabytes
 * meanwhile.  If nothing is read, the time is doubled up to SELDOM_MS.
 */
#define LOOK_MS 4
#define SELDOM_MS 64

/* A tracked scan: by its filter, or by the node if it has none. */
typedef struct ScanTracker
{
	struct ScanTracker *next;	/* of the same query */
	ScanState  *node;
	ExprState  *filter;			/* the node's, or NULL */
	SsdparScanWindow *window;

	/* The filter's function before and after its first call. */
	ExprStateEvalFunc first_eval;
	ExprStateEvalFunc eval;		/* NULL while JIT has not compiled it */
	ExecProcNodeMtd real_exec;	/* the node's, without a filter */
	bool		called;			/* it has been called at least once */
	bool		inside;			/* during a call by the hook; remains set
								 * after an error */
} ScanTracker;

typedef struct TrackedQuery
{
	struct TrackedQuery *next;	/* in this process; the handler walks this
								 * list */
	struct TrackedQuery *previous;
	EState	   *estate;
	ScanTracker *scans;
	MemoryContextCallback callback;
} TrackedQuery;

/* A query that was just started. */
typedef struct Start
{
	EState	   *estate;
	SsdparIsBlockScan reads_blocks;
	TrackedQuery *query;		/* created with its first scan */
} Start;

/* Maps the argument of a hook to the scan. */
typedef struct TrackerEntry
{
	void	   *key;			/* filter or node */
	ScanTracker *tracker;
} TrackerEntry;

static TrackedQuery *volatile queries = NULL;
static HTAB *trackers = NULL;
static ScanTracker *last_tracker = NULL;	/* result of the last search */
static TimeoutId look_timeout = MAX_TIMEOUTS;
static const SsdparExecFunctions *functions = NULL;

static Datum filter_hook(ExprState *filter, ExprContext *econtext,
						 bool *isnull);
static TupleTableSlot *exec_hook(PlanState *ps);

static void *
key_of(const ScanTracker *tracker)
{
	return tracker->filter != NULL ?
		(void *) tracker->filter : (void *) tracker->node;
}

static ScanTracker *
search_tracker(const void *key)
{
	TrackerEntry *entry = trackers == NULL ? NULL :
		hash_search(trackers, &key, HASH_FIND, NULL);

	return entry == NULL ? NULL : entry->tracker;
}

/*
 * A query may scan thousands of partitions, and until a scan has advanced far
 * enough each of its tuples needs this, mostly for the same scan as the
 * previous one.
 */
static ScanTracker *
find_tracker(const void *key)
{
	if (last_tracker == NULL || key_of(last_tracker) != key)
		last_tracker = search_tracker(key);
	Assert(last_tracker == search_tracker(key));
	return last_tracker;
}

/* The function that core has in ExecProcNode after the first call. */
static ExecProcNodeMtd
core_exec(const ScanTracker *tracker)
{
	return tracker->node->ps.instrument != NULL ? functions->instrumented :
		tracker->real_exec;
}

/* Checks the invariants of one scan. */
static void
check_tracker(const ScanTracker *tracker)
{
	Assert(tracker->first_eval != filter_hook);
	Assert(tracker->eval != filter_hook);
	Assert(tracker->real_exec != exec_hook);
	Assert(functions->first != exec_hook);
	Assert(functions->instrumented != exec_hook);
	Assert(tracker->node->ps.qual == tracker->filter);
	Assert(search_tracker(key_of(tracker)) == tracker);
	Assert((tracker->filter == NULL) == (tracker->first_eval == NULL));
	Assert((tracker->filter == NULL) == (tracker->real_exec != NULL));
}

/* Checks those of a query's place in the list, and of all of its scans. */
static void
check_query(const TrackedQuery *query)
{
#ifdef USE_ASSERT_CHECKING
	Assert(query->next == NULL || query->next->previous == query);
	Assert(query->previous == NULL ? queries == query :
		   query->previous->next == query);
	for (const ScanTracker *tracker = query->scans; tracker != NULL;
		 tracker = tracker->next)
	{
		Assert(tracker->node->ps.state == query->estate);
		check_tracker(tracker);
	}
#endif
}

/* Makes the next tuple call us.  Also called by the timer's handler. */
static void
arm(ScanTracker *tracker)
{
	PlanState  *ps = &tracker->node->ps;

	if (!tracker->called)
		return;
	if (tracker->filter != NULL)
	{
		if (tracker->filter->evalfunc == tracker->eval)
			tracker->filter->evalfunc = filter_hook;
	}
	else if (ps->ExecProcNode == core_exec(tracker))
		ps->ExecProcNode = exec_hook;
}

static void
arm_all(void)
{
	for (TrackedQuery *query = queries; query != NULL; query = query->next)
		for (ScanTracker *tracker = query->scans; tracker != NULL;
			 tracker = tracker->next)
			arm(tracker);
}

/* Milliseconds until the timer's next inspection. */
static int
next_look(void)
{
	static int	ms = LOOK_MS;
	static int64 before = 0;
	int64		now = pgBufferUsage.shared_blks_read;

	ms = now == before ? Min(2 * ms, SELDOM_MS) : LOOK_MS;
	before = now;
	return ms;
}

/* Number of inspections, one per row; more than the rows of a page. */
#define PAGE_LOOKS 300

static int64 read_before = 0;	/* by this process, at the last look */
static int	looks_left = 0;		/* for a scan that has read a page */

/*
 * Has this process read a page into shared buffers within the last PAGE_LOOKS
 * looks?
 */
static bool
reads(void)
{
	int64		now = pgBufferUsage.shared_blks_read;

	if (now != read_before)
		looks_left = PAGE_LOOKS;
	else if (looks_left > 0)
		looks_left--;
	read_before = now;
	return looks_left > 0;
}

/*
 * Announces what follows.  Returns true if the next row should be inspected as
 * well: a scan that reads is inspected for each row until it has read half a
 * megabyte, when it is worth tracking.  A scan of shared buffers is left alone
 * until the timer fires, because inspecting each row and announcing its pages
 * would noticeably slow it down.
 */
static bool
announce(ScanTracker *tracker)
{
	ScanState  *node = tracker->node;
	ScanDirection direction = node->ps.state->es_direction;

	if (!ssdpar_enabled || ssdpar_prefetch == SSDPAR_PREFETCH_OFF || !reads())
		return false;
	ssdpar_scan_window_look(tracker->window, node->ss_currentScanDesc,
							ScanDirectionIsBackward(direction));
	return !ssdpar_scan_window_started(tracker->window);
}

/* Inspects the scan, and repeats that at the next tuple or by the timer. */
static void
look(ScanTracker *tracker)
{
	check_tracker(tracker);
	if (announce(tracker))
		arm(tracker);
	else if (!get_timeout_active(look_timeout))
		enable_timeout_after(look_timeout, next_look());
}

static Datum
filter_hook(ExprState *filter, ExprContext *econtext, bool *isnull)
{
	ScanTracker *tracker = find_tracker(filter);
	ExprStateEvalFunc core;
	Datum		result;

	if (tracker == NULL)
		elog(ERROR, "a filter is not tracked any more");
	core = tracker->called && !tracker->inside ?
		tracker->eval : tracker->first_eval;
	if (filter->evalfunc == filter_hook)
		filter->evalfunc = core;
	if (tracker->inside)
		return core(filter, econtext, isnull);
	tracker->inside = true;
	result = core(filter, econtext, isnull);
	tracker->inside = false;
	if (!tracker->called)
	{
		/* code compiled by JIT is in the pointer after the first call */
		if (tracker->eval == NULL && filter->evalfunc != filter_hook)
			tracker->eval = filter->evalfunc;
		tracker->called = tracker->eval != NULL;
	}
	look(tracker);
	return result;
}

static TupleTableSlot *
exec_hook(PlanState *ps)
{
	ScanTracker *tracker = find_tracker(ps);
	ExecProcNodeMtd core;
	TupleTableSlot *slot;

	if (tracker == NULL)
		elog(ERROR, "a scan is not tracked any more");
	core = tracker->called ? core_exec(tracker) : functions->first;
	if (ps->ExecProcNode == exec_hook)
		ps->ExecProcNode = core;
	if (tracker->inside)
		return tracker->real_exec(ps);
	tracker->inside = true;
	slot = core(ps);
	tracker->inside = false;
	tracker->called = true;
	look(tracker);
	return slot;
}

const SsdparScanWindow *
ssdpar_scan_tracker_find(PlanState *node)
{
	ScanTracker *tracker = search_tracker(node->qual != NULL ?
										  (void *) node->qual : (void *) node);

	return tracker == NULL ? NULL : tracker->window;
}

void
ssdpar_scan_tracker_end(QueryDesc *query)
{
	TrackedQuery *tracked = queries;

	while (tracked != NULL && tracked->estate != query->estate)
		tracked = tracked->next;
	if (tracked == NULL)
		return;
	check_query(tracked);
	for (ScanTracker *tracker = tracked->scans; tracker != NULL;
		 tracker = tracker->next)
		ssdpar_scan_window_end(tracker->window,
							   tracker->node->ss_currentScanDesc);
}

/* Called when the memory of a query is freed, for whatever reason. */
static void
forget_query(void *arg)
{
	TrackedQuery *query = arg;

	check_query(query);
	/* the handler must not find freed memory */
	if (query->previous == NULL)
		queries = query->next;
	else
		query->previous->next = query->next;
	pg_compiler_barrier();
	if (query->next != NULL)
		query->next->previous = query->previous;
	for (ScanTracker *tracker = query->scans; tracker != NULL;
		 tracker = tracker->next)
	{
		void	   *key = key_of(tracker);

		if (tracker == last_tracker)
			last_tracker = NULL;
		if (hash_search(trackers, &key, HASH_REMOVE, NULL) == NULL)
			Assert(false);
	}
}

/* Creates it in the current memory context, which is the query's. */
static TrackedQuery *
make_query(EState *estate)
{
	TrackedQuery *query = palloc0_object(TrackedQuery);

	query->estate = estate;
	query->next = queries;
	query->callback.func = forget_query;
	query->callback.arg = query;
	MemoryContextRegisterResetCallback(estate->es_query_cxt,
									   &query->callback);
	if (query->next != NULL)
		query->next->previous = query;
	pg_compiler_barrier();
	queries = query;
	return query;
}

/*
 * Is the pointer core's, of a node that has not run yet, and does it live as
 * long as the query?  JIT's function is static in another library, so it is
 * assumed to be that if the query is compiled.
 */
static bool
can_be_armed(const ScanTracker *tracker, const EState *estate)
{
	const PlanState *ps = &tracker->node->ps;
	const ExprState *filter = tracker->filter;

	if (ps->state != estate ||
		GetMemoryChunkContext(tracker->node) != estate->es_query_cxt)
		return false;
	if (filter == NULL)
		return ps->ExecProcNode == functions->first &&
			ps->ExecProcNodeReal != exec_hook;
	return GetMemoryChunkContext(tracker->filter) == estate->es_query_cxt &&
		filter->evalfunc != filter_hook &&
		(filter->evalfunc == ExecInterpExprStillValid ||
		 estate->es_jit != NULL);
}

static void
arm_first(ScanTracker *tracker)
{
	PlanState  *ps = &tracker->node->ps;
	ExprState  *filter = tracker->filter;

	if (filter == NULL)
	{
		tracker->real_exec = ps->ExecProcNodeReal;
		ps->ExecProcNode = exec_hook;
		return;
	}
	tracker->first_eval = filter->evalfunc;
	if (tracker->first_eval == ExecInterpExprStillValid)
		tracker->eval = (ExprStateEvalFunc) filter->evalfunc_private;
	filter->evalfunc = filter_hook;
}

/* Called once per process. */
static void
initialize(void)
{
	HASHCTL		control = {
		.keysize = sizeof(void *),
		.entrysize = sizeof(TrackerEntry),
		.hcxt = TopMemoryContext,
	};

	if (trackers != NULL)
		return;
	functions = ssdpar_exec_functions();
	if (look_timeout == MAX_TIMEOUTS)
		look_timeout = RegisterTimeout(USER_TIMEOUT, arm_all);
	trackers = hash_create("ssdpar scans", 64, &control,
						   HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

/*
 * Everything that can fail precedes the entry in the table, which
 * forget_query() removes.
 */
static void
track_scan(Start *start, ScanState *node)
{
	const Plan *plan = node->ps.plan;
	ScanTracker *tracker;
	TrackerEntry *entry;
	void	   *key;
	bool		found;

	if (!ssdpar_scan_window_possible(node->ss_currentRelation))
		return;
	initialize();
	tracker = palloc0_object(ScanTracker);
	tracker->node = node;
	tracker->filter = node->ps.qual;
	if (!can_be_armed(tracker, start->estate))
		return;
	tracker->window = ssdpar_scan_window_open(node->ss_currentRelation,
											  plan->parallel_aware,
											  plan->plan_node_id);
	if (tracker->window == NULL)
		return;
	if (start->query == NULL)
		start->query = make_query(start->estate);
	key = key_of(tracker);
	entry = hash_search(trackers, &key, HASH_ENTER, &found);
	Assert(!found);
	if (found)
		return;
	entry->tracker = tracker;
	arm_first(tracker);
	tracker->next = start->query->scans;
	pg_compiler_barrier();
	start->query->scans = tracker;
}

static bool
visit_node(PlanState *ps, SsdparPlanWalk *walk)
{
	Start	   *start = walk->context;

	if (IsA(ps, SeqScanState) || start->reads_blocks(ps))
		track_scan(start, (ScanState *) ps);
	return ssdpar_plan_walk_below(ps, walk);
}

void
ssdpar_scan_tracker_start(QueryDesc *query,
						  SsdparIsBlockScan reads_blocks)
{
	Start		start = {
		.estate = query->estate,
		.reads_blocks = reads_blocks,
	};
	MemoryContext old;

	if (ssdpar_prefetch == SSDPAR_PREFETCH_OFF ||
		ssdpar_without(SSDPAR_SCAN_TRACKER) ||
		(query->estate->es_top_eflags & EXEC_FLAG_EXPLAIN_ONLY) != 0)
		return;
	old = MemoryContextSwitchTo(query->estate->es_query_cxt);
	ssdpar_plan_walk(query, visit_node, &start);
	MemoryContextSwitchTo(old);
	if (start.query == NULL)
		return;
	check_query(start.query);
	/* pages read before, for planning, do not count */
	read_before = pgBufferUsage.shared_blks_read;
	looks_left = 0;
}
