/*
 * column_ranges.h
 *		What a filter says of single columns: the least and the greatest
 *		integer that they may have.
 *
 * Of conditions that compare a column of the fact with a constant, by an
 * operator of the column type's own order, both being integers underneath
 * (int2, int4 and int8, mixed as well, date, timestamp ...).  To find out
 * takes no function call and cannot fail, nor does it give away what a row
 * holds, so it may come before whatever else the filter asks.
 */
#ifndef SSDPAR_COLUMN_RANGES_H
#define SSDPAR_COLUMN_RANGES_H

#include "access/tupdesc.h"
#include "nodes/params.h"
#include "nodes/pg_list.h"

#include "keys/key_code.h"

/*
 * Rows with another value, or with NULL, do not pass the filter; if it is
 * empty, no row does.
 */
typedef struct SsdparColumnRange
{
	AttrNumber	column;
	SsdparIntegerType integer;
	bool		empty;
	int64		least;
	int64		greatest;
} SsdparColumnRange;

/*
 * The ranges that quals, conditions which are all to hold, leave to columns of
 * rows such as row, one a column; NIL if they say nothing of the kind.  Their
 * parameters have their values in params.  In the current memory context.
 */
extern List *ssdpar_column_ranges(List *quals, TupleDesc row,
								  ParamListInfo params);

#endif							/* SSDPAR_COLUMN_RANGES_H */
