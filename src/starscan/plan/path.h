/*
 * path.h
 *		SsdparStarScan in the planner.
 */
#ifndef SSDPAR_PLAN_PATH_H
#define SSDPAR_PLAN_PATH_H

#include "starscan/plan/candidate.h"

/* Our path; core's method to plan children is not suitable (path.c). */
typedef struct SsdparStarPath
{
	CustomPath	custom;			/* must be first */
	const SsdparStarPlan *plan; /* becomes the plan's custom_private */
	List	   *children;		/* Paths, one per reducer */
	List	   *dimensions;		/* SsdparDimensions that reduce the table
								 * directly */
	bool		part;			/* for a partition, below SsdparStarKeys */

	/*
	 * For a path of a join relation, with joined reducers: the fact's
	 * relation, and the joined columns, in the order of the plan's.
	 */
	RelOptInfo *fact;
	List	   *joined_columns; /* Vars */
} SsdparStarPath;

/*
 * Appends joined columns to the columns of a plan's rows.  They are named by
 * the table, because a view's tables may have other columns by now.
 */
extern List *ssdpar_add_joined_columns(PlannerInfo *root, List *tlist,
									   List *joined_columns);

/* Returns path as that type, or NULL if it is another one. */
extern SsdparStarPath *ssdpar_star_path(Path *path);

/* Creates the path of a priced candidate; a partial one if it has workers. */
extern Path *ssdpar_make_star_path(const SsdparStarTable *table,
								   const SsdparCandidate *candidate);

/* The same for a partition, as part of the plan of all of them. */
extern Path *ssdpar_make_star_part_path(RelOptInfo *rel,
										const SsdparCandidate *candidate,
										const SsdparStarPlan *part);

/* Combines the candidate's dimensions into the executor's plan. */
extern SsdparStarPlan *
			ssdpar_assemble_star_plan(const SsdparStarTable *table,
									  const SsdparCandidate *candidate);

/*
 * Sets the index of a reducer of plan, whose access and page cost are set, to
 * the one used by estimate or one like it, if there is one and it may be read,
 * planned or not.
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
