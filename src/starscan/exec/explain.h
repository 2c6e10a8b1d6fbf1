/*
 * explain.h
 *		EXPLAIN output of a star scan.
 */
#ifndef SSDPAR_STAR_EXPLAIN_H
#define SSDPAR_STAR_EXPLAIN_H

#include "commands/explain.h"
#include "utils/relcache.h"

#include "base/compat.h"
#include "starscan/exec/counters.h"
#include "starscan/exec/result.h"
#include "starscan/star_plan.h"

typedef struct SsdparStarExplained
{
	const SsdparStarPlan *plan;
	Index		scanrelid;		/* of the fact in the finished plan */
	List	   *columns;		/* custom_scan_tlist */
	Relation	fact;			/* NULL if other nodes read it ... */
	Oid			table;			/* ... in this case its OID */
	bool		pruned;			/* not read because of its keys */
	const SsdparNodeInstrumentation *instrument;	/* of the node; NULL
													 * without ANALYZE */
	const SsdparStarResult *result; /* NULL if it never ran */
	const SsdparStarCounters *counters; /* of all processes */
	int			processes;		/* that took part; 0 if not parallel */
} SsdparStarExplained;

extern void ssdpar_star_explain(const SsdparStarExplained *star,
								ExplainState *es);

/* Shows only the keys and, with ANALYZE, the time to collect them.  */
extern void ssdpar_star_explain_keys(const SsdparStarExplained *star,
									 ExplainState *es);

#endif							/* SSDPAR_STAR_EXPLAIN_H */
