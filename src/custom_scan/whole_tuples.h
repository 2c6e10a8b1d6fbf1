/*
 * whole_tuples.h
 *		Target lists of custom scans that hand up tuples as they are.
 */
#ifndef SSDPAR_WHOLE_TUPLES_H
#define SSDPAR_WHOLE_TUPLES_H

#include "nodes/pathnodes.h"

/*
 * For the plan of path, a scan: all columns of its table in place of tlist
 * where that does no harm, else tlist.
 */
extern List *ssdpar_whole_tuples(PlannerInfo *root, const Path *path,
								 List *tlist);

#endif							/* SSDPAR_WHOLE_TUPLES_H */
