/*
 * known_distinct.c
 *		Numbers of distinct values of columns that were measured while the
 *		statement was planned, and of combinations of them.
 */
#include "postgres.h"

#include "base/compat.h"
#include "rowcount/known_distinct.h"

typedef struct Known
{
	Oid			table;
	Bitmapset  *columns;
	AttrNumber	most;			/* of them, that with the most values */
	double		distinct;
} Known;

/* Of the statement being planned, a few, each once. */
static List *all_known = NIL;

void
ssdpar_know_combinations(Oid table, const Bitmapset * columns,
						 AttrNumber most, double distinct)
{
	Known	   *known = palloc_object(Known);

	Assert(distinct == 0.0 || distinct >= 1.0);
	known->table = table;
	known->columns = bms_copy(columns);
	known->most = most;
	known->distinct = distinct;
	all_known = lappend(all_known, known);
}

void
ssdpar_know_distinct(Oid table, AttrNumber column, double distinct)
{
	ssdpar_know_combinations(table, bms_make_singleton(column), column,
							 distinct);
}

static const Known *
find_known(Oid table, const Bitmapset * columns)
{
	ListCell   *lc;

	foreach(lc, all_known)
	{
		const Known *known = lfirst(lc);

		if (known->table == table && bms_equal(known->columns, columns))
			return known;
	}
	return NULL;
}

double
ssdpar_known_combinations(Oid table, const Bitmapset * columns,
						  AttrNumber *most)
{
	const Known *known = find_known(table, columns);

	*most = known == NULL ? InvalidAttrNumber : known->most;
	return known == NULL ? 0.0 : known->distinct;
}

bool
ssdpar_are_combinations_measured(Oid table, const Bitmapset * columns)
{
	return find_known(table, columns) != NULL;
}

double
ssdpar_known_distinct(Oid table, AttrNumber column)
{
	Bitmapset  *columns = bms_make_singleton(column);
	const Known *known = find_known(table, columns);

	bms_free(columns);
	return known == NULL ? 0.0 : known->distinct;
}

bool
ssdpar_is_any_distinct_known(Oid table)
{
	ListCell   *lc;

	foreach(lc, all_known)
	{
		const Known *known = lfirst(lc);

		if (known->table == table && known->distinct > 0.0)
			return true;
	}
	return false;
}

bool
ssdpar_is_distinct_measured(Oid table, AttrNumber column)
{
	return ssdpar_are_combinations_measured(table, bms_make_singleton(column));
}

List *
ssdpar_known_distinct_begin(void)
{
	List	   *outer = all_known;

	all_known = NIL;
	return outer;
}

void
ssdpar_known_distinct_end(List *outer)
{
	all_known = outer;
}
