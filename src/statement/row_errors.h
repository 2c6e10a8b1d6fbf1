/*
 * row_errors.h
 *		How far row counts were off, before and after measuring.
 */
#ifndef SSDPAR_ROW_ERRORS_H
#define SSDPAR_ROW_ERRORS_H

#include "join_search/report.h"

/* Count those of which the true number was found. */
extern void ssdpar_count_row_errors(const SsdparReport *report);

#endif							/* SSDPAR_ROW_ERRORS_H */
