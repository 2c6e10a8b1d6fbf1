/*
 * column_stats.h
 *		Gives core the distinct values that were measured of a column.
 */
#ifndef SSDPAR_COLUMN_STATS_H
#define SSDPAR_COLUMN_STATS_H

#include "utils/selfuncs.h"

/*
 * For get_relation_stats_hook, in the second pass: for a column of which they
 * are known, fill stats as core would but for that number, and return true.
 */
extern bool ssdpar_supply_distinct(PlannerInfo *root, RangeTblEntry *rte,
								   AttrNumber column,
								   VariableStatData *stats);

#endif							/* SSDPAR_COLUMN_STATS_H */
