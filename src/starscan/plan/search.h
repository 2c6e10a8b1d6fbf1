/*
 * search.h
 *		Finds the best star scans of one table, as paths.
 */
#ifndef SSDPAR_PLAN_SEARCH_H
#define SSDPAR_PLAN_SEARCH_H

#include "starscan/plan/candidate.h"

/* By bitmap, and sequential. */
#define SSDPAR_STAR_ACCESSES 2

/* The best star scans of a table for each access, in that order. */
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
 * Number of workers that a star scan of rel may have: as for core's scan of
 * it, but none with ssdpar.subqueries = 1.
 */
extern int	ssdpar_star_workers(RelOptInfo *rel);

/*
 * Chooses the best star scans of table, whose root, fact and rel are set, for
 * each access that ssdpar.star_access allows.  The table pays this share of
 * reading the dimensions.  Returns false if there is none: no index, or
 * nothing to compare it with.
 */
extern bool ssdpar_choose_star_scans(SsdparStarTable *table, List *dimensions,
									 double share, SsdparStarChoice *choice);

/*
 * Adds them to the paths of a fact without partitions; false if there are
 * none.
 */
extern bool ssdpar_add_star_scans(PlannerInfo *root, RelOptInfo *fact,
								  List *dimensions);

#endif							/* SSDPAR_PLAN_SEARCH_H */
