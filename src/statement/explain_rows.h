/*
 * explain_rows.h
 *		EXPLAIN says which row counts were measured while planning.
 */
#ifndef SSDPAR_EXPLAIN_ROWS_H
#define SSDPAR_EXPLAIN_ROWS_H

#include "base/compat.h"
#include "join_search/report.h"

/* Add the properties. */
extern void ssdpar_explain_rows(ExplainState *es, const SsdparReport *report);

#endif							/* SSDPAR_EXPLAIN_ROWS_H */
