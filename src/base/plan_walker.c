/*
 * plan_walker.c
 *		Visits each node of a started query exactly once.
 *
 * The server's planstate_tree_walker() follows references, and a PlanState can
 * have several.  For example, a SubPlan has one in the EState, and the
 * SubPlanState of each expression that runs it refers to that (one for each
 * partition that it filters, say).  So we skip nodes that were visited before,
 * with everything below them.  A visitor that depends on the nodes above (such
 * as workers) sees those above the first reference.
 *
 * These nodes can have several references:
 *
 *	- SubPlans, which include InitPlans and CTEs (a CTE is an InitPlan of the
 *	  node that it belongs to; CteScans are not walked through).  All are in
 *	  es_subplanstates.
 *	- Children of a custom scan, as its author likes: the same node may be in
 *	  custom_ps and also be the outer child.
 *
 * A plan without these is a tree, so we need not remember visits.  We start to
 * remember them at the first custom scan, because nodes visited earlier are
 * above it or in other subtrees, so they are not among its children.
 *
 * Some plans are not walked because no node refers to them: EvalPlanQual's
 * copies, which are made later and read single rows; plans of functions, which
 * are separate queries; and the plans of parallel workers, which are walked in
 * the workers.  A worker has no PlanState for a SubPlan that only its leader
 * runs.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "nodes/nodeFuncs.h"

#include "base/plan_walker.h"

typedef struct Visited
{
	PlanState  *node;
	char		status;			/* used by simplehash.h */
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

/* In the caller's memory context, so an error needs no cleanup. */
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
