/*
 * whole_tuples.h
 *		Target lists of custom scans that return tuples unchanged.
 */
#ifndef SSDPAR_WHOLE_TUPLES_H
#define SSDPAR_WHOLE_TUPLES_H

#include "nodes/pathnodes.h"

/*
 * For the plan of path, a scan: returns all columns of its table instead of
 * tlist if that does no harm, else tlist.
 */
extern List *ssdpar_whole_tuples(PlannerInfo *root, const Path *path,
								 List *tlist);

#endif							/* SSDPAR_WHOLE_TUPLES_H */
