/*
 * explain_rows.h
 *		Shows in EXPLAIN which row counts were measured during planning.
 */
#ifndef SSDPAR_EXPLAIN_ROWS_H
#define SSDPAR_EXPLAIN_ROWS_H

#include "base/compat.h"
#include "join_search/report.h"

/* Adds the properties. */
extern void ssdpar_explain_rows(ExplainState *es, const SsdparReport *report);

#endif							/* SSDPAR_EXPLAIN_ROWS_H */
