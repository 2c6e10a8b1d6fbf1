/*
 * scan_tracker.c
 *		Watches the scans of core's nodes, so that what they are about to read
 *		is announced (tracked_scan.c).
 *
 * To track a scan is to look now and then at the block or the index entry that
 * its descriptor stands on.  The executor has no place to do so from, but
 * function pointers that it calls for every tuple:
 *
 *		node with a filter		the filter's evalfunc: called also for tuples
 *								that the node never hands up
 *		node without one		the node's ExecProcNode
 *
 * To stand there for every tuple would cost several percent of a cached scan
 * (25 instructions a tuple, counted).  So a pointer is armed, that is, ours,
 * for one call only: we put back core's function, call it, look, and have a
 * timer arm the pointer again some milliseconds later.  In between a scan runs
 * as if it were not tracked.  Where the next tuple is to be looked at as well,
 * as in a scan that waits for the device, the pointer is armed at once.
 * A custom scan node needs none of this: it calls scan_window.c itself.
 *
 * Why that can neither loop nor outlive its node.  Our two functions are the
 * hooks, a pointer is core's when it holds what the server's executor itself
 * puts there.
 *
 *	1. A pointer is tracked once.  It is entered in the table of pointers
 *	   before it is armed, and one that is found there, or does not hold core's
 *	   function of a node that has not run yet, is refused.
 *	2. A hook calls only core's functions, and none that it has found where
 *	   another could have put it: ExecProcNodeFirst and ExecProcNodeInstr are
 *	   known by address (exec_functions.c), ExecProcNodeReal and the
 *	   interpreter's evalfunc_private are copied while the pointer is core's
 *	   and has never been ours.  So nothing that a hook calls leads back to
 *	   it.  The one exception is code compiled by JIT, which is not there
 *	   before the first call: it is taken from the pointer after that.
 *	3. A hook that is entered while it is in that same call goes straight to the
 *	   function that was copied before the pointer was ever armed.  So whatever
 *	   others do, with that exception too, a circle is broken at its second
 *	   turn.
 *	4. Only core's function after the first call is ever overwritten, by a
 *	   single store, and only core's is put back, where ours is. The executor
 *	   loads the pointer anew for each tuple, and all these functions are
 *	   good at any time. Whoever else has put his own there, over ours or
 *	   instead of it, keeps it; in the worst case the scan is not tracked any
 *	   more.
 *	5. The timer's handler runs at any instruction of this process.  It reads
 *	   the list of tracked queries and does (4), nothing else.  If it hits
 *	   between our putting core's function back and our calling it, what
 *	   follows is one look more.
 *	6. What the handler finds lives.  Pointers are in memory of their query's
 *	   context itself (others are refused), and so are the trackers; both leave
 *	   list and table by the one callback of that context, which comes before
 *	   its memory goes, after an error too.  A link is changed by a single
 *	   store, when what it leads to is complete.
 *
 * Servers built with assertions check 1, 4 and 6 wherever it costs little.
 *
 * A timer is lost with all others when an error gets to the top (also a
 * savepoint's).  Then cursors opened before are tracked again when another scan
 * sets it.  It is set only by a look, so an idle cursor causes no wake-ups.
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
 * Between two looks at a scan; a fast one reads a few megabytes meanwhile.
 * Where nothing is read the time doubles up to the other.
 */
#define LOOK_MS 4
#define SELDOM_MS 64

/* A scan that is tracked: by its filter, or by the node if it has none. */
typedef struct ScanTracker
{
	struct ScanTracker *next;	/* of the same query */
	ScanState  *node;
	ExprState  *filter;			/* the node's, or NULL */
	SsdparTrackedScan scan;

	/* The filter's function before and after its first call. */
	ExprStateEvalFunc first_eval;
	ExprStateEvalFunc eval;		/* NULL while JIT has not compiled it */
	ExecProcNodeMtd real_exec;	/* the node's, without a filter */
	bool		called;			/* for the first time */
	bool		inside;			/* a call by the hook; stays after an error */
} ScanTracker;

typedef struct TrackedQuery
{
	struct TrackedQuery *next;	/* of this process; the handler goes along it */
	struct TrackedQuery *previous;
	EState	   *estate;
	ScanTracker *scans;
	MemoryContextCallback callback;
} TrackedQuery;

/* A query that has just been started. */
typedef struct Start
{
	EState	   *estate;
	const SsdparOtherScans *others;
	TrackedQuery *query;		/* made with its first scan */
	const		LimitState *limit;	/* the last one met, and ... */
	const PlanState *limited;	/* ... the node whose rows it takes */
} Start;

/* What a hook is called with, by which it finds the scan. */
typedef struct TrackerEntry
{
	void	   *key;			/* filter or node */
	ScanTracker *tracker;
} TrackerEntry;

static TrackedQuery *volatile queries = NULL;
static HTAB *trackers = NULL;
static ScanTracker *last_tracker = NULL;	/* found there last */
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
 * A query may have thousands of scans, of partitions, and until one has come
 * far enough each of its tuples asks for this: mostly for the same scan as the
 * one before (the search takes 330 instructions).
 */
static ScanTracker *
find_tracker(const void *key)
{
	if (last_tracker == NULL || key_of(last_tracker) != key)
		last_tracker = search_tracker(key);
	Assert(last_tracker == search_tracker(key));
	return last_tracker;
}

/* What core has in ExecProcNode after the first call. */
static ExecProcNodeMtd
core_exec(const ScanTracker *tracker)
{
	return tracker->node->ps.instrument != NULL ? functions->instrumented :
		tracker->real_exec;
}

/* The invariants that can be seen at one scan. */
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

/* Those of a query's place in the list, and of all of its scans. */
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

/* Be called for the next tuple.  Also called by the timer's handler. */
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

/* When to look again by the timer. */
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

/* See where the scan is, and look again at the next tuple or by the timer. */
static void
look(ScanTracker *tracker, bool returned)
{
	check_tracker(tracker);
	if (ssdpar_tracked_scan_after(&tracker->scan, tracker->node, returned))
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
		/* code compiled by JIT stands in the pointer after the first call */
		if (tracker->eval == NULL && filter->evalfunc != filter_hook)
			tracker->eval = filter->evalfunc;
		tracker->called = tracker->eval != NULL;
	}
	look(tracker, !*isnull && DatumGetBool(result));
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
	ssdpar_tracked_scan_before(&tracker->scan);
	slot = core(ps);
	tracker->inside = false;
	tracker->called = true;
	look(tracker, true);
	return slot;
}

void
ssdpar_scan_tracker_exec_is(PlanState *node, ExecProcNodeMtd exec)
{
	ScanTracker *tracker = node->qual == NULL ? search_tracker(node) : NULL;

	Assert(exec != exec_hook);
	if (tracker != NULL)
		tracker->real_exec = exec;
}

const SsdparTrackedScan *
ssdpar_scan_tracker_find(PlanState *node)
{
	ScanTracker *tracker = search_tracker(node->qual != NULL ?
										  (void *) node->qual : (void *) node);

	return tracker == NULL ? NULL : &tracker->scan;
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
		ssdpar_tracked_scan_end(&tracker->scan, tracker->node);
}

/* Called when the memory of a query goes away, for whatever reason. */
static void
forget_query(void *arg)
{
	TrackedQuery *query = arg;

	check_query(query);
	/* the handler must not find what is no longer there */
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

/* In the current memory context, the query's. */
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
 * long as the query?  JIT's function is static in another library: it is taken
 * for that if the query is compiled.
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

/* Once in a process. */
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
 * What can fail comes before the table's entry, which forget_query() takes out
 * again.
 */
static void
track_scan(Start *start, ScanState *node, SsdparLookAtScan look)
{
	ScanTracker *tracker;
	TrackerEntry *entry;
	void	   *key;
	bool		found;

	if (look == NULL && !ssdpar_tracked_scan_possible(node))
		return;
	initialize();
	tracker = palloc0_object(ScanTracker);
	tracker->node = node;
	tracker->filter = node->ps.qual;
	if (!can_be_armed(tracker, start->estate))
		return;
	tracker->scan.look = look;
	if (look == NULL &&
		!ssdpar_tracked_scan_open(&tracker->scan, node,
								  &node->ps == start->limited ?
								  start->limit : NULL))
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

/* The node whose rows a Limit counts: those of FOR UPDATE are locked first. */
static void
note_limit(Start *start, const LimitState * limit)
{
	const PlanState *below = outerPlanState(limit);

	start->limit = limit;
	start->limited = IsA(below, LockRowsState) ? outerPlanState(below) : below;
}

static bool
visit_node(PlanState *ps, SsdparPlanWalk *walk)
{
	Start	   *start = walk->context;
	SsdparLookAtScan look;

	start->others->starts(ps);
	look = start->others->looked_at_by(ps);
	if (IsA(ps, LimitState))
		note_limit(start, (LimitState *) ps);
	else if (look != NULL || IsA(ps, SeqScanState) ||
			 IsA(ps, IndexScanState) || start->others->reads_blocks(ps))
		track_scan(start, (ScanState *) ps, look);
	return ssdpar_plan_walk_below(ps, walk);
}

void
ssdpar_scan_tracker_start(QueryDesc *query, const SsdparOtherScans *others)
{
	Start		start = {.estate = query->estate, .others = others};
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
	ssdpar_tracked_scan_begin();
}
