/*
 * plan_walker.h
 *		Visits each node of a query that has been started, once.
 */
#ifndef SSDPAR_PLAN_WALKER_H
#define SSDPAR_PLAN_WALKER_H

#include "executor/execdesc.h"
#include "nodes/execnodes.h"

typedef struct SsdparPlanWalk SsdparPlanWalk;

/*
 * Is given a node, and decides whether and when to go on below it, by
 * ssdpar_plan_walk_below().  True ends the walk.
 */
typedef bool (*SsdparPlanVisitor) (PlanState *node, SsdparPlanWalk *walk);

struct SsdparPlanWalk
{
	SsdparPlanVisitor visit;
	void	   *context;		/* the visitor's */
	struct visited_hash *visited;	/* the walker's; NULL while not needed */
};

/*
 * Visit the query's plan from its top.  True if a visitor has ended the walk.
 * A node that several others share is visited where it is met first.
 */
extern bool ssdpar_plan_walk(QueryDesc *query, SsdparPlanVisitor visit,
							 void *context);

/* For visitors only: visit what is below the node. */
extern bool ssdpar_plan_walk_below(PlanState *node, SsdparPlanWalk *walk);

#endif							/* SSDPAR_PLAN_WALKER_H */
