/*
 * hash_price.h
 *		What a hash join takes longer where no cache holds its table.
 */
#ifndef SSDPAR_HASH_PRICE_H
#define SSDPAR_HASH_PRICE_H

#include "nodes/pathnodes.h"

#include "device/machine.h"

/* In planner units; the first is part of the second. */
typedef struct SsdparHashCost
{
	Cost		startup;		/* of filling the table */
	Cost		total;			/* and of looking its rows up */
} SsdparHashCost;

/* Of one process of those that execute it. */
extern SsdparHashCost ssdpar_hash_cost(const SsdparMachine *machine,
									   const HashPath * path);

/*
 * Of a join of so many rows of outer and inner in one process, whose table
 * has rows of that width in bytes: before there is a path.
 */
extern Cost ssdpar_expected_hash_cost(const SsdparMachine *machine,
									  double joined_rows, double outer_rows,
									  double inner_rows, int inner_width);

#endif							/* SSDPAR_HASH_PRICE_H */
