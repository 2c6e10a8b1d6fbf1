/*
 * sort_price.h
 *		What a sort takes longer, or less, than core thinks.
 */
#ifndef SSDPAR_SORT_PRICE_H
#define SSDPAR_SORT_PRICE_H

#include "nodes/pathnodes.h"

#include "device/machine.h"

/*
 * Of a path's rows, which make so many groups by these keys: in planner units,
 * below zero where core prices it too dear.
 */
extern Cost ssdpar_sort_longer(PlannerInfo *root, const SsdparMachine *machine,
							   List *pathkeys, const Path *rows,
							   double groups);

#endif							/* SSDPAR_SORT_PRICE_H */
