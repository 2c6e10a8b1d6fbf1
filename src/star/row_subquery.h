/*
 * row_subquery.h
 *		Conditions that execute a subquery for each row.
 */
#ifndef SSDPAR_ROW_SUBQUERY_H
#define SSDPAR_ROW_SUBQUERY_H

#include "nodes/bitmapset.h"
#include "nodes/pg_list.h"

/* Does this expression, or one in this list? */
extern bool ssdpar_runs_subquery(Node *node);

/*
 * The columns of range table entry number relid by which such subqueries are
 * executed, offset as in the server's own sets.
 */
extern Bitmapset * ssdpar_subquery_columns(Node *node, Index relid);

#endif							/* SSDPAR_ROW_SUBQUERY_H */
