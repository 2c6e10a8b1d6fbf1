/*
 * row_work.h
 *		What grouping takes, by what it does with each row.
 *
 * Lookups are counted in the planner's operators, visits to memory by the size
 * of what is visited.
 *
 * Pure: no server header, so that unit tests hold it alone.
 */
#ifndef SSDPAR_ROW_WORK_H
#define SSDPAR_ROW_WORK_H

#include <stdbool.h>

#include "device/machine.h"

typedef struct SsdparGroupWork
{
	double		operator_seconds;
	double		rows;
	double		groups;
	double		bytes;			/* of the table in memory at a time */
	bool		has_states;		/* that lie apart from the groups */
} SsdparGroupWork;

typedef struct SsdparGroupSeconds
{
	double		filling;		/* until the first group is handed out */
	double		giving;			/* handing them out */
} SsdparGroupSeconds;

/* Beside what core counts, an operator a column. */
extern SsdparGroupSeconds ssdpar_group_seconds(const SsdparMachine *machine,
											   const SsdparGroupWork *work);

#endif							/* SSDPAR_ROW_WORK_H */
