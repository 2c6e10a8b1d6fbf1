/*
 * base_rows.h
 *		Puts measured row counts into the relations of a query level.
 */
#ifndef SSDPAR_BASE_ROWS_H
#define SSDPAR_BASE_ROWS_H

#include "nodes/pathnodes.h"

/*
 * Core has made the paths of rel, and no other hook any yet.  When rel is the
 * first relation of a level of the second pass, what was measured of the level
 * is put into its relations, and rel's paths are made anew.
 */
extern void ssdpar_put_base_rows(PlannerInfo *root, RelOptInfo *rel);

#endif							/* SSDPAR_BASE_ROWS_H */
