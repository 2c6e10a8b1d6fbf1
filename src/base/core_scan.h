/*
 * core_scan.h
 *		Determines which tables are read by core's scans.
 */
#ifndef SSDPAR_CORE_SCAN_H
#define SSDPAR_CORE_SCAN_H

#include "nodes/pathnodes.h"

/*
 * Can core's scans, or ours, which find the same rows, read rel, a plain table
 * that has its paths?  Another extension may have replaced its paths because
 * some of the table's rows are stored elsewhere.
 */
extern bool ssdpar_has_core_scan(const RelOptInfo *rel);

#endif							/* SSDPAR_CORE_SCAN_H */
