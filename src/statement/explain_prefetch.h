/*
 * explain_prefetch.h
 *		EXPLAIN ANALYZE says what was prefetched for the statement.
 */
#ifndef SSDPAR_EXPLAIN_PREFETCH_H
#define SSDPAR_EXPLAIN_PREFETCH_H

#include "base/compat.h"
#include "prefetch/counters.h"

/* The counters before the statement is run. */
extern void ssdpar_explain_prefetch_start(SsdparTally *before);

/* Is there anything to be said? */
extern bool ssdpar_explain_prefetch_wanted(ExplainState *es,
										   const SsdparTally *before,
										   SsdparTally *used);

/* Add the group; used as the function above has left it. */
extern void ssdpar_explain_prefetch(ExplainState *es,
									const SsdparTally *used);

/*
 * With ANALYZE: what was announced for this node by the process that explains,
 * not by its workers.  For servers that let others add to core's nodes.
 */
extern void ssdpar_explain_tracked(PlanState *node, ExplainState *es);

#endif							/* SSDPAR_EXPLAIN_PREFETCH_H */
