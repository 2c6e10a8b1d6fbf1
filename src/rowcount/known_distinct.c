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

/* Of the statement being planned, a few, each once. */
static List *columns = NIL;

void
ssdpar_know_distinct(Oid table, AttrNumber column, double distinct)
{
	Column	   *known = palloc_object(Column);

	Assert(distinct == 0.0 || distinct >= 1.0);
	known->table = table;
	known->column = column;
	known->distinct = distinct;
	columns = lappend(columns, known);
}

static const Column *
find_column(Oid table, AttrNumber column)
{
	ListCell   *lc;

	foreach(lc, columns)
	{
		const Column *known = lfirst(lc);

		if (known->table == table && known->column == column)
			return known;
	}
	return NULL;
}

double
ssdpar_known_distinct(Oid table, AttrNumber column)
{
	const Column *known = find_column(table, column);

	return known == NULL ? 0.0 : known->distinct;
}

bool
ssdpar_is_distinct_measured(Oid table, AttrNumber column)
{
	return find_column(table, column) != NULL;
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
