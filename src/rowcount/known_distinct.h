/*
 * known_distinct.h
 *		Numbers of distinct values of columns that were measured while the
 *		statement was planned.
 *
 * They are those of all rows of a table, so they belong to the table, in
 * whichever level of the query it stands, and to the statement.
 */
#ifndef SSDPAR_KNOWN_DISTINCT_H
#define SSDPAR_KNOWN_DISTINCT_H

#include "access/attnum.h"
#include "nodes/bitmapset.h"
#include "nodes/pg_list.h"

/*
 * Of values that are not NULL; 0: it was measured, and core's number stays.
 * Once for a column.
 */
extern void ssdpar_know_distinct(Oid table, AttrNumber column,
								 double distinct);

/* 0: it was not measured, or core's number stays. */
extern double ssdpar_known_distinct(Oid table, AttrNumber column);

/* A number other than 0, of any column or combination of the table? */
extern bool ssdpar_is_any_distinct_known(Oid table);

extern bool ssdpar_is_distinct_measured(Oid table, AttrNumber column);

/*
 * The combinations of values that several columns of a table have, and that of
 * them with the most values.  Once for a set of columns; 0 as above.
 */
extern void ssdpar_know_combinations(Oid table, const Bitmapset * columns,
									 AttrNumber most, double distinct);
extern double ssdpar_known_combinations(Oid table, const Bitmapset * columns,
										AttrNumber *most);
extern bool ssdpar_are_combinations_measured(Oid table,
											 const Bitmapset * columns);

/*
 * Planning a statement begins: nothing is known of it.  Returns what was known
 * of the outer one, to be given back at the end, also after an error.
 */
extern List *ssdpar_known_distinct_begin(void);
extern void ssdpar_known_distinct_end(List *outer);

#endif							/* SSDPAR_KNOWN_DISTINCT_H */
