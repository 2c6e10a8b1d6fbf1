/*
 * kept_rows.h
 *		Whether the plan node above a scan keeps the rows that it gets.
 */
#ifndef SSDPAR_KEPT_ROWS_H
#define SSDPAR_KEPT_ROWS_H

#include "nodes/pathnodes.h"

/*
 * Are rows of this path, of which a plan is being made, put away by the node
 * above it: hashed, sorted, materialized, sent to another process?  True, too,
 * if that cannot be told.
 */
extern bool ssdpar_rows_are_kept(PlannerInfo *root, const Path *path);

#endif							/* SSDPAR_KEPT_ROWS_H */
