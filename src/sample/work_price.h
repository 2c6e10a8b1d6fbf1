/*
 * work_price.h
 *		How long it takes to ask the data, predicted.
 */
#ifndef SSDPAR_WORK_PRICE_H
#define SSDPAR_WORK_PRICE_H

#include "optimizer/optimizer.h"
#include "utils/relcache.h"

/*
 * Seconds a page of a table or an index, read at a random place with others on
 * the way.  Of two kinds, whether it is in memory or not: the same as long as
 * nothing of size changes.
 */
extern double ssdpar_work_page_seconds(Relation relation);

/* Seconds of computing so many planner cost units. */
extern double ssdpar_work_cpu_seconds(double units);

/* In planner cost units: */
#define SSDPAR_WORK_ROW (2 * cpu_tuple_cost)	/* a row, taken apart */
#define SSDPAR_WORK_KEY (40 * cpu_operator_cost)	/* a key, looked up */
#define SSDPAR_WORK_MATCH (4 * cpu_operator_cost)	/* a row joined in hand */
#define SSDPAR_WORK_JOIN (100 * cpu_operator_cost)	/* a join's conditions */

#endif							/* SSDPAR_WORK_PRICE_H */
