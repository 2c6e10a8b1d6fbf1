/*
 * actual_rows.h
 *		The rows that joins of measured tables really had.
 */
#ifndef SSDPAR_ACTUAL_ROWS_H
#define SSDPAR_ACTUAL_ROWS_H

#include "executor/execdesc.h"

#include "join_search/report.h"

/*
 * Fill in what a query that was instrumented found, for rows of its topmost
 * level; -1 where its plan does not tell.
 */
extern void ssdpar_find_actual_rows(QueryDesc *query, SsdparReport *report);

#endif							/* SSDPAR_ACTUAL_ROWS_H */
