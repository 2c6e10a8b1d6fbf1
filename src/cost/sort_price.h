/*
 * sort_price.h
 *		What a sort takes longer, or less, than core thinks.
 */
#ifndef SSDPAR_SORT_PRICE_H
#define SSDPAR_SORT_PRICE_H

#include "nodes/pathnodes.h"

#include "cost/tablespace_model.h"

/*
 * What a sort takes beside its price, in planner units, where its rows make so
 * many groups; below zero where it is too dear.
 */
extern Cost ssdpar_sort_longer(PlannerInfo *root, const SsdparMachine *machine,
							   const SortPath * sort, double groups);

/*
 * A sort of a path's rows for rel, of which the first limit are wanted (below
 * zero: all), at its price, which is so much longer than core's: of one process
 * of those that execute the path.  NULL where its first row comes after most;
 * but only of numbers, whose sorts core prices too high: what is dearer than
 * core thinks may have to be in the place of core's.
 */
extern Path *ssdpar_create_sort(PlannerInfo *root, const SsdparModel *model,
								RelOptInfo *rel, Path *rows, List *pathkeys,
								double limit, Cost most, Cost *longer);

#endif							/* SSDPAR_SORT_PRICE_H */
