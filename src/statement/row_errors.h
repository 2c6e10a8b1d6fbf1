/*
 * row_errors.h
 *		Errors of row counts before and after measuring.
 */
#ifndef SSDPAR_ROW_ERRORS_H
#define SSDPAR_ROW_ERRORS_H

#include "join_search/report.h"

/* Counts those whose actual number was found. */
extern void ssdpar_count_row_errors(const SsdparReport *report);

#endif							/* SSDPAR_ROW_ERRORS_H */
