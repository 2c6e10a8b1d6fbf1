/*
 * path.h
 *		The SsdparStarScan as the planner sees it.
 */
#ifndef SSDPAR_PLAN_PATH_H
#define SSDPAR_PLAN_PATH_H

#include "starscan/plan/candidate.h"

/* A path of ours: core's way to plan children would not do (path.c). */
typedef struct SsdparStarPath
{
	CustomPath	custom;			/* must be first */
	const SsdparStarPlan *plan; /* what becomes the plan's custom_private */
	List	   *children;		/* Path, one a reducer */
	List	   *dimensions;		/* SsdparDimension that reduce the table
								 * itself */
	bool		part;			/* of a partition, below SsdparStarKeys */

	/*
	 * Of a path of a join relation, with joined reducers: the fact's
	 * relation, and the columns that ride along, in the order of the plan's.
	 */
	RelOptInfo *fact;
	List	   *joined_columns; /* Var */
} SsdparStarPath;

/*
 * The columns of a plan's rows with joined ones behind, which are named by the
 * table: a view's tables may have other columns by now.
 */
extern List *ssdpar_add_joined_columns(PlannerInfo *root, List *tlist,
									   List *joined_columns);

/* Path as that, or NULL if it is none. */
extern SsdparStarPath *ssdpar_star_path(Path *path);

/* The path of candidate, which is priced: a partial one if it has workers. */
extern Path *ssdpar_make_star_path(const SsdparStarTable *table,
								   const SsdparCandidate *candidate);

/* The same of a partition, as part of the plan of all of them. */
extern Path *ssdpar_make_star_part_path(RelOptInfo *rel,
										const SsdparCandidate *candidate,
										const SsdparStarPlan *part);

/* The candidate's dimensions put together: what the executor gets. */
extern SsdparStarPlan *
			ssdpar_assemble_star_plan(const SsdparStarTable *table,
									  const SsdparCandidate *candidate);

/*
 * Give a reducer of plan, whose access and page cost are set, the index that
 * estimate is of, or one like it; if there is one and it may be read, planned
 * or not.
 */
extern void ssdpar_give_index(const SsdparStarPlan *plan,
							  SsdparReducer *reducer,
							  const SsdparEstimate *estimate,
							  const IndexOptInfo *index, bool planned);

/* The candidate's SsdparDimensions. */
extern List *ssdpar_candidate_dimensions(const SsdparStarTable *table,
										 const SsdparCandidate *candidate);

/* The children (Path) of the candidate's reducers, and their plans. */
extern List *ssdpar_candidate_children(const SsdparStarTable *table,
									   const SsdparCandidate *candidate);
extern List *ssdpar_plan_children(PlannerInfo *root, List *children);

extern void ssdpar_register_star_scan(void);

#endif							/* SSDPAR_PLAN_PATH_H */
