/*
 * explain.h
 *		EXPLAIN output of an index join.
 */
#ifndef SSDPAR_JOIN_EXPLAIN_H
#define SSDPAR_JOIN_EXPLAIN_H

#include "executor/instrument.h"
#include "nodes/plannodes.h"
#include "utils/relcache.h"

#include "base/compat.h"
#include "index_join/exec/counters.h"
#include "index_join/join_plan.h"

typedef struct SsdparJoinExplained
{
	const SsdparIndexJoinPlan *plan;
	CustomScan *scan;
	Index		inner;
	Relation	heap;
	const SsdparNodeInstrumentation *instrument;	/* NULL: not executed */
	const SsdparJoinCounters *counters;
	bool		leader_alone;	/* workers' executions are not counted */
} SsdparJoinExplained;

extern void ssdpar_join_explain(const SsdparJoinExplained *join,
								List *ancestors, ExplainState *es);

#endif							/* SSDPAR_JOIN_EXPLAIN_H */
