/*
 * follow.c
 *		Watches the sequential scans of core's nodes, so that what they are
 *		about to read is announced (scan_window.c).
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
 * milliseconds later.  In between a scan runs as if nobody followed it.  A
 * custom scan node needs none of this: it calls scan_window.c itself.
 *
 * Why that is safe:
 *
 *	- The executor changes such a pointer once, at the first call
 *	  (ExecProcNodeFirst to the real or the instrumented function, the expression
 *	  checked or compiled by JIT).  So there are two values to put back: the
 *	  one found when the node was started, and the one that is there after
 *	  the first call.  Both are good at any time, each is a single word, and
 *	  the executor loads it anew for every tuple.
 *	- The timer's handler runs at any instruction of this process.  It writes
 *	  nothing but our function over the second value, if that is what it
 *	  finds.  If it hits between our putting that back and our calling it,
 *	  what follows is one look more.
 *	- Whoever else has put a function of his own there, over ours or instead
 *	  of it, keeps it: we write only over what we know, and call only what
 *	  was there before us, so no circle can come about.  In the worst case the
 *	  scan is not followed any more.
 *	- A handler finds only nodes whose memory lives: they leave the list by a
 *	  callback of the memory context that they are in, which comes before the
 *	  memory goes, after an error too.
 *	- A timer is lost with all others when an error gets to the top (also a
 *	  savepoint's).  Then cursors opened before are not followed any more.
 *	  It is set only by a look, so an idle cursor wakes nobody.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "nodes/extensible.h"
#include "nodes/nodeFuncs.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"
#include "utils/timeout.h"

#include "compat.h"
#include "partition/partition_path.h"
#include "prefetch/follow.h"
#include "prefetch/scan_window.h"
#include "settings.h"

/* Between two looks at a scan; a fast one reads a few megabytes meanwhile. */
#define LOOK_MS 4

/* A scan node that is followed. */
typedef struct Follow
{
	struct Follow *next;		/* of this process; all that the handler reads */
	struct Follow *before;
	ScanState  *node;
	ExprState  *filter;			/* the node's, or NULL */
	void	   *key;			/* in follows_by_key */

	/* What was there at the start, and after the first call (else NULL). */
	ExprStateEvalFunc first_eval;
	ExprStateEvalFunc eval;
	ExecProcNodeMtd first_exec;
	ExecProcNodeMtd exec;
	SsdparScanWindow *window;
	MemoryContextCallback callback;
} Follow;

static Follow *volatile follows = NULL; /* of all running queries */

/* The same by what our functions are called with (key_of()). */
typedef struct FollowEntry
{
	void	   *key;
	Follow	   *follow;
} FollowEntry;

static HTAB *follows_by_key = NULL;
static TimeoutId look_timeout = MAX_TIMEOUTS;

static Datum followed_filter(ExprState *filter, ExprContext *econtext,
							 bool *isnull);
static TupleTableSlot *followed_exec(PlanState *ps);

/*
 * A query may have thousands of scans, of partitions, and until one has come
 * far enough each of its tuples asks for this.
 */
static Follow *
find_follow(void *key)
{
	FollowEntry *entry = follows_by_key == NULL ? NULL :
		hash_search(follows_by_key, &key, HASH_FIND, NULL);

	return entry == NULL ? NULL : entry->follow;
}

static void *
key_of(PlanState *ps)
{
	return ps->qual != NULL ? (void *) ps->qual : (void *) ps;
}

/* Be called for the next tuple.  Also called by the timer's handler. */
static void
stand_in(Follow *follow)
{
	PlanState  *ps = &follow->node->ps;

	if (follow->filter != NULL)
	{
		if (follow->eval != NULL && follow->filter->evalfunc == follow->eval)
			follow->filter->evalfunc = followed_filter;
	}
	else if (follow->exec != NULL && ps->ExecProcNode == follow->exec)
		ps->ExecProcNode = followed_exec;
}

static void
time_to_look(void)
{
	for (Follow *follow = follows; follow != NULL; follow = follow->next)
		stand_in(follow);
}

/*
 * See where the scan is, and when to look again: at every tuple until it is
 * worth being followed, after half a megabyte, then by the timer.
 */
static void
look(Follow *follow)
{
	ScanState  *node = follow->node;

	ssdpar_scan_window_look(follow->window, node->ss_currentScanDesc,
							ScanDirectionIsBackward(node->ps.state->es_direction));
	if (!ssdpar_scan_window_started(follow->window))
		stand_in(follow);
	else if (!get_timeout_active(look_timeout))
		enable_timeout_after(look_timeout, LOOK_MS);
}

static Datum
followed_filter(ExprState *filter, ExprContext *econtext, bool *isnull)
{
	Follow	   *follow = find_follow(filter);
	ExprStateEvalFunc real;
	Datum		result;

	real = follow->eval != NULL ? follow->eval : follow->first_eval;
	if (filter->evalfunc == followed_filter)
		filter->evalfunc = real;
	result = real(filter, econtext, isnull);
	if (follow->eval == NULL && filter->evalfunc != followed_filter)
		follow->eval = filter->evalfunc;
	look(follow);
	return result;
}

static TupleTableSlot *
followed_exec(PlanState *ps)
{
	Follow	   *follow = find_follow(ps);
	ExecProcNodeMtd real;
	TupleTableSlot *slot;

	real = follow->exec != NULL ? follow->exec : follow->first_exec;
	if (ps->ExecProcNode == followed_exec)
		ps->ExecProcNode = real;
	slot = real(ps);
	if (follow->exec == NULL && ps->ExecProcNode != followed_exec)
		follow->exec = ps->ExecProcNode;
	look(follow);
	return slot;
}

/* Called when the memory of a query goes away, for whatever reason. */
static void
stop_following(void *arg)
{
	Follow	   *follow = arg;

	hash_search(follows_by_key, &follow->key, HASH_REMOVE, NULL);
	/* the handler must not find what is no longer there */
	if (follow->before == NULL)
		follows = follow->next;
	else
		follow->before->next = follow->next;
	pg_compiler_barrier();
	if (follow->next != NULL)
		follow->next->before = follow->before;
}

SsdparScanWindow *
ssdpar_follow_find(PlanState *node)
{
	Follow	   *follow = find_follow(key_of(node));

	return follow == NULL ? NULL : follow->window;
}

void
ssdpar_follow_end(QueryDesc *query)
{
	for (Follow *follow = follows; follow != NULL; follow = follow->next)
		if (follow->node->ps.state == query->estate)
			ssdpar_scan_window_end(follow->window,
								   follow->node->ss_currentScanDesc);
}

/* It leaves by stop_following() only, so what can fail comes before that. */
static void
enter(Follow *follow)
{
	FollowEntry *entry;

	if (follows_by_key == NULL)
	{
		HASHCTL		control = {
			.keysize = sizeof(void *),
			.entrysize = sizeof(FollowEntry),
			.hcxt = TopMemoryContext,
		};

		follows_by_key = hash_create("ssdpar scans", 64, &control,
									 HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	}
	entry = hash_search(follows_by_key, &follow->key, HASH_ENTER, NULL);
	entry->follow = follow;
}

static void
follow_node(ScanState *node)
{
	EState	   *estate = node->ps.state;
	MemoryContext old = MemoryContextSwitchTo(estate->es_query_cxt);
	SsdparScanWindow *window =
		ssdpar_scan_window_open(node->ss_currentRelation,
								node->ps.plan->parallel_aware,
								node->ps.plan->plan_node_id);
	Follow	   *follow;

	if (window != NULL)
	{
		follow = palloc0(sizeof(Follow));
		follow->node = node;
		follow->filter = node->ps.qual;
		follow->key = key_of(&node->ps);
		follow->window = window;
		enter(follow);
		follow->callback.func = stop_following;
		follow->callback.arg = follow;
		MemoryContextRegisterResetCallback(estate->es_query_cxt,
										   &follow->callback);
		follow->next = follows;
		if (follow->next != NULL)
			follow->next->before = follow;
		pg_compiler_barrier();
		follows = follow;
		if (follow->filter != NULL)
		{
			follow->first_eval = follow->filter->evalfunc;
			follow->filter->evalfunc = followed_filter;
		}
		else
		{
			follow->first_exec = node->ps.ExecProcNode;
			node->ps.ExecProcNode = followed_exec;
		}
	}
	MemoryContextSwitchTo(old);
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
	if (IsA(ps, SeqScanState) || is_block_partition(ps))
		follow_node((ScanState *) ps);
	return planstate_tree_walker(ps, visit_node, context);
}

void
ssdpar_follow_query(QueryDesc *query)
{
	if (query->planstate == NULL ||
		ssdpar_prefetch == SSDPAR_PREFETCH_OFF ||
		(query->estate->es_top_eflags & EXEC_FLAG_EXPLAIN_ONLY) != 0)
		return;
	if (look_timeout == MAX_TIMEOUTS)
		look_timeout = RegisterTimeout(USER_TIMEOUT, time_to_look);
	visit_node(query->planstate, NULL);
}
