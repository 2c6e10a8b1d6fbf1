/*
 * plan_walker.h
 *		Visits each node of a started query exactly once.
 */
#ifndef SSDPAR_PLAN_WALKER_H
#define SSDPAR_PLAN_WALKER_H

#include "executor/execdesc.h"
#include "nodes/execnodes.h"

typedef struct SsdparPlanWalk SsdparPlanWalk;

/*
 * Called for each node; calls ssdpar_plan_walk_below() to visit the nodes
 * below it.  Returns true to end the walk.
 */
typedef bool (*SsdparPlanVisitor) (PlanState *node, SsdparPlanWalk *walk);

struct SsdparPlanWalk
{
	SsdparPlanVisitor visit;
	void	   *context;		/* the visitor's */
	struct visited_hash *visited;	/* the walker's; NULL until needed */
};

/*
 * Visits the query's plan from the top.  Returns true if a visitor ended the
 * walk.  A node that several others share is visited where it is found first.
 */
extern bool ssdpar_plan_walk(QueryDesc *query, SsdparPlanVisitor visit,
							 void *context);

/* To be called by visitors only: visits the nodes below this one. */
extern bool ssdpar_plan_walk_below(PlanState *node, SsdparPlanWalk *walk);

#endif							/* SSDPAR_PLAN_WALKER_H */
