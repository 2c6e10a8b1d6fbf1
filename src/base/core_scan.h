/*
 * core_scan.h
 *		Which tables are read by scans of core's.
 */
#ifndef SSDPAR_CORE_SCAN_H
#define SSDPAR_CORE_SCAN_H

#include "nodes/pathnodes.h"

/*
 * May rel, a plain table whose paths are made, be read by a scan of core's, or
 * of ours, which finds the same rows?  Another extension may have put paths of
 * its own in their place, because rows of the table are elsewhere.
 */
extern bool ssdpar_has_core_scan(const RelOptInfo *rel);

#endif							/* SSDPAR_CORE_SCAN_H */
