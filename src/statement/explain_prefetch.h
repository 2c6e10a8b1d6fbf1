/*
 * explain_prefetch.h
 *		Shows in EXPLAIN ANALYZE what was prefetched for the statement.
 */
#ifndef SSDPAR_EXPLAIN_PREFETCH_H
#define SSDPAR_EXPLAIN_PREFETCH_H

#include "base/compat.h"
#include "prefetch/counters.h"

/* Reads the counters before the statement is run. */
extern void ssdpar_explain_prefetch_start(SsdparTally *before);

/* Is there anything to show? */
extern bool ssdpar_explain_prefetch_wanted(ExplainState *es,
										   const SsdparTally *before,
										   SsdparTally *used);

/* Adds the group; used must be as set by the function above. */
extern void ssdpar_explain_prefetch(ExplainState *es,
									const SsdparTally *used);

/*
 * With ANALYZE: shows what was announced for this node by the leader, not by
 * its workers.  For servers that let extensions add to core's nodes.
 */
extern void ssdpar_explain_tracked(PlanState *node, ExplainState *es);

#endif							/* SSDPAR_EXPLAIN_PREFETCH_H */
