/*
 * explain.h
 *		What EXPLAIN says of a star scan.
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
	Index		scanrelid;		/* of the fact in the plan as it is now */
	List	   *columns;		/* custom_scan_tlist */
	Relation	fact;			/* NULL if others read it ... */
	Oid			table;			/* ... which then is this */
	bool		pruned;			/* not read, as keys said */
	const SsdparNodeInstrumentation *instrument;	/* the node's; NULL
													 * without ANALYZE */
	const SsdparStarResult *result; /* NULL if it never ran */
	const SsdparStarCounters *counters; /* of all processes */
	int			processes;		/* that took part; 0 if it was not parallel */
} SsdparStarExplained;

extern void ssdpar_star_explain(const SsdparStarExplained *star,
								ExplainState *es);

/* Only what is said of the keys; under ANALYZE with the time they took. */
extern void ssdpar_star_explain_keys(const SsdparStarExplained *star,
									 ExplainState *es);

#endif							/* SSDPAR_STAR_EXPLAIN_H */
