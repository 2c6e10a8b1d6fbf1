/*
 * search.h
 *		The best star scans of one table, as paths.
 */
#ifndef SSDPAR_PLAN_SEARCH_H
#define SSDPAR_PLAN_SEARCH_H

#include "starscan/plan/candidate.h"

/* By bitmap, and sequentially. */
#define SSDPAR_STAR_ACCESSES 2

/* The best star scan of a table by each access, in that order. */
typedef struct SsdparStarChoice
{
	SsdparEstimate alone[SSDPAR_MAX_REDUCERS];	/* for one process */
	SsdparEstimate shared[SSDPAR_MAX_REDUCERS]; /* for several */
	SsdparCandidate serial[SSDPAR_STAR_ACCESSES];
	SsdparCandidate parallel[SSDPAR_STAR_ACCESSES];
	int			nserial;
	int			nparallel;
} SsdparStarChoice;

/*
 * The workers that a star scan of rel may have: as for core's scan of it, none
 * with ssdpar.subqueries = 1.
 */
extern int	ssdpar_star_workers(RelOptInfo *rel);

/*
 * Choose the best star scans of table, whose root, fact and rel are set, by
 * each access that ssdpar.star_access allows; it pays this share of reading the
 * dimensions.  False if there is none: no index, or nothing to compare it by.
 */
extern bool ssdpar_choose_star_scans(SsdparStarTable *table, List *dimensions,
									 double share, SsdparStarChoice *choice);

/* Add them to the paths of a fact that has no partitions; false: none. */
extern bool ssdpar_add_star_scans(PlannerInfo *root, RelOptInfo *fact,
								  List *dimensions);

#endif							/* SSDPAR_PLAN_SEARCH_H */
