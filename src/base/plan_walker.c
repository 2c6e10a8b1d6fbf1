/*
 * plan_walker.c
 *		Visits each node of a query that has been started, once.
 *
 * The server's planstate_tree_walker() goes along references, and a PlanState
 * can have several: a SubPlan has one, in the EState, to which the
 * SubPlanState of each expression that runs it refers (of each partition that
 * is filtered by it, say).  So a node met again is not visited again, nor what
 * is below it.  Whoever looks for something above a node (workers, say) finds
 * what is above its first reference.
 *
 * What can have several references:
 *
 *	- SubPlans, which include InitPlans and CTEs (a CTE is the InitPlan of
 *	  the node that it belongs to; CteScans are not walked through).  All are
 *	  in es_subplanstates.
 *	- Children of a custom scan, in whatever way its owner likes: the same node
 *	  may be in custom_ps and be the outer one as well.
 *
 * A plan with neither is a tree and remembers nothing.  With a custom scan,
 * what was visited before it stands above it or beside it and is no child of
 * its.
 *
 * Not walked, as no node refers to them: EvalPlanQual's copies of a plan, which
 * are made later and read single rows; plans of functions, which are queries of
 * their own; what a parallel worker runs, which is walked there.  A worker has
 * no PlanState for a SubPlan that only its leader runs.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "nodes/nodeFuncs.h"

#include "base/plan_walker.h"

typedef struct Visited
{
	PlanState  *node;
	char		status;			/* simplehash.h's */
} Visited;

#define SH_PREFIX visited
#define SH_ELEMENT_TYPE Visited
#define SH_KEY_TYPE PlanState *
#define SH_KEY node
#define SH_HASH_KEY(table, key) \
	hash_bytes((const unsigned char *) &(key), sizeof(key))
#define SH_EQUAL(table, a, b) ((a) == (b))
#define SH_SCOPE static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

/* In the caller's memory context, where an error leaves it. */
static void
remember_visits(SsdparPlanWalk *walk)
{
	if (walk->visited == NULL)
		walk->visited = visited_create(CurrentMemoryContext, 64, NULL);
}

static bool
visit_first_time(PlanState *node, void *context)
{
	SsdparPlanWalk *walk = context;
	bool		again = false;

	if (IsA(node, CustomScanState) &&
		((CustomScanState *) node)->custom_ps != NIL)
		remember_visits(walk);
	if (walk->visited != NULL)
		visited_insert(walk->visited, node, &again);
	return !again && walk->visit(node, walk);
}

bool
ssdpar_plan_walk_below(PlanState *node, SsdparPlanWalk *walk)
{
	return planstate_tree_walker(node, visit_first_time, walk);
}

bool
ssdpar_plan_walk(QueryDesc *query, SsdparPlanVisitor visit, void *context)
{
	SsdparPlanWalk walk = {visit, context, NULL};
	bool		ended;

	if (query->planstate == NULL)
		return false;
	if (query->estate->es_subplanstates != NIL)
		remember_visits(&walk);
	ended = visit_first_time(query->planstate, &walk);
	if (walk.visited != NULL)
		visited_destroy(walk.visited);
	return ended;
}
