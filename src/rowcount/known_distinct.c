/*
 * known_distinct.c
 *		Numbers of distinct values of columns that were measured while the
 *		statement was planned.
 */
#include "postgres.h"

#include "base/compat.h"
#include "rowcount/known_distinct.h"

typedef struct Column
{
	Oid			table;
	AttrNumber	column;
	double		distinct;
} Column;

/* Of the statement being planned, a few; the newest first. */
static List *columns = NIL;

void
ssdpar_know_distinct(Oid table, AttrNumber column, double distinct)
{
	Column	   *known = palloc_object(Column);

	Assert(distinct >= 1.0);
	known->table = table;
	known->column = column;
	known->distinct = distinct;
	columns = lcons(known, columns);
}

double
ssdpar_known_distinct(Oid table, AttrNumber column)
{
	ListCell   *lc;

	foreach(lc, columns)
	{
		const Column *known = lfirst(lc);

		if (known->table == table && known->column == column)
			return known->distinct;
	}
	return 0.0;
}

List *
ssdpar_known_distinct_begin(void)
{
	List	   *outer = columns;

	columns = NIL;
	return outer;
}

void
ssdpar_known_distinct_end(List *outer)
{
	columns = outer;
}
