/*
 * sort_price.h
 *		What a sort takes longer, or less, than core thinks.
 */
#ifndef SSDPAR_SORT_PRICE_H
#define SSDPAR_SORT_PRICE_H

#include "nodes/pathnodes.h"

#include "cost/tablespace_model.h"

/*
 * Of a path's rows, which make so many groups by these keys: in planner units,
 * below zero where core prices it too dear.
 */
extern Cost ssdpar_sort_longer(PlannerInfo *root, const SsdparMachine *machine,
							   List *pathkeys, const Path *rows,
							   double groups);

/*
 * A sort of a path's rows for rel, at its price, which is so much longer than
 * core's: of the whole sort, in one process of those that execute the path.
 */
extern Path *ssdpar_create_sort(PlannerInfo *root, const SsdparModel *model,
								RelOptInfo *rel, Path *rows, List *pathkeys,
								Cost *longer);

#endif							/* SSDPAR_SORT_PRICE_H */
