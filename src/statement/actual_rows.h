/*
 * actual_rows.h
 *		Finds the actual row counts of joins of measured tables.
 */
#ifndef SSDPAR_ACTUAL_ROWS_H
#define SSDPAR_ACTUAL_ROWS_H

#include "executor/execdesc.h"

#include "join_search/report.h"

/*
 * Fills in the actual row counts of an instrumented query for its topmost
 * level; -1 if its plan does not tell.
 */
extern void ssdpar_find_actual_rows(QueryDesc *query, SsdparReport *report);

#endif							/* SSDPAR_ACTUAL_ROWS_H */
