/*
 * row_work.h
 *		What sorting and grouping take, by what they do with each row.
 *
 * Comparisons and lookups are counted in the planner's operators, visits to
 * memory by the size of what is visited.
 *
 * Pure: no server header, so that unit tests hold it alone.
 */
#ifndef SSDPAR_ROW_WORK_H
#define SSDPAR_ROW_WORK_H

#include <stdbool.h>

#include "device/machine.h"

/* How the first columns of two rows are compared. */
typedef enum SsdparCompare
{
	SSDPAR_COMPARE_INLINE,		/* a number that is kept beside the row */
	SSDPAR_COMPARE_ABBREVIATED, /* the same of the value's beginning, and the
								 * values where these are the same */
	SSDPAR_COMPARE_CALLED,		/* by a function */
	SSDPAR_COMPARE_LOCALE,		/* by the rules of a language */
} SsdparCompare;

typedef struct SsdparSortWork
{
	double		operator_seconds;	/* what the planner calls an operator */
	double		rows;
	double		groups;			/* rows that differ in all columns */
	double		first_groups;	/* in the first one */
	double		bytes;			/* of the rows in memory at a time */
	SsdparCompare compare;
	bool		by_reference;	/* a value lies in the row and not beside it */
	bool		more_columns;	/* by which those are told that it does not */
	bool		only_value;		/* there is no row but the value beside it */
	double		kept;			/* the first ones, in a heap; 0: all */
} SsdparSortWork;

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

/*
 * In place of the comparisons that core counts; writing to files and handing
 * out is priced by core.
 */
extern double ssdpar_sort_seconds(const SsdparMachine *machine,
								  const SsdparSortWork *work);

/* Beside what core counts, an operator a column. */
extern SsdparGroupSeconds ssdpar_group_seconds(const SsdparMachine *machine,
											   const SsdparGroupWork *work);

/*
 * Does a price that differs from core's by so many planner units change enough,
 * of all that these cost, for paths to be made or compared anew?
 */
extern bool ssdpar_price_matters(double units, double whole,
								 double seconds_per_unit);

#endif							/* SSDPAR_ROW_WORK_H */
