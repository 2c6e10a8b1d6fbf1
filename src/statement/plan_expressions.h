/*
 * plan_expressions.h
 *		What a plan's expressions take: to be evaluated, and to be compiled.
 */
#ifndef SSDPAR_PLAN_EXPRESSIONS_H
#define SSDPAR_PLAN_EXPRESSIONS_H

#include "nodes/plannodes.h"

typedef struct SsdparPlanExpressions
{
	double		units;			/* of planner cost: evaluating them, all
								 * processes together */
	double		functions;		/* that they would be compiled to, all
								 * processes together */
	double		workers;		/* that would compile, besides the leader */
} SsdparPlanExpressions;

extern SsdparPlanExpressions
			ssdpar_plan_expressions(const PlannedStmt *statement);

#endif							/* SSDPAR_PLAN_EXPRESSIONS_H */
