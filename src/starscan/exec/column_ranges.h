/*
 * column_ranges.h
 *		Derives from a filter the smallest and the greatest integer that
 *		single columns can have.
 *
 * A condition counts if it compares a column of the fact with a constant by an
 * operator of the column type's default ordering, and both types are integers
 * internally (int2, int4 and int8, also mixed, date, timestamp ...).  Testing
 * such a range calls no function, cannot fail and leaks nothing about the row,
 * so it may precede the other conditions of the filter.
 */
#ifndef SSDPAR_COLUMN_RANGES_H
#define SSDPAR_COLUMN_RANGES_H

#include "access/tupdesc.h"
#include "nodes/params.h"
#include "nodes/pg_list.h"

#include "keys/key_code.h"

/*
 * Rows with another value or with NULL do not pass the filter.  If empty is
 * set, no row does.
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
 * Returns the ranges that quals, an implicitly ANDed list, allow for columns
 * of row, one entry for each column; NIL if there are none.  params supplies
 * the values of parameters.  The result is allocated in the current memory
 * context.
 */
extern List *ssdpar_column_ranges(List *quals, TupleDesc row,
								  ParamListInfo params);

#endif							/* SSDPAR_COLUMN_RANGES_H */
