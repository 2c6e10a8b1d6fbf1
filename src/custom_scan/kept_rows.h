/*
 * kept_rows.h
 *		Does the plan node above a scan store the rows that it gets?
 */
#ifndef SSDPAR_KEPT_ROWS_H
#define SSDPAR_KEPT_ROWS_H

#include "nodes/pathnodes.h"

/*
 * Does the node above this path, for which a plan is being created, store its
 * rows, that is, hash, sort or materialize them or send them to another
 * process?  Also true if that is unknown.
 */
extern bool ssdpar_rows_are_kept(PlannerInfo *root, const Path *path);

#endif							/* SSDPAR_KEPT_ROWS_H */
