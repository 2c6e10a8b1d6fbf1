/*
 * access.h
 *		Whether the data may be asked at all, and which tables.
 */
#ifndef SSDPAR_STAR_ACCESS_H
#define SSDPAR_STAR_ACCESS_H

#include "nodes/pathnodes.h"

/*
 * Is there a snapshot, does no one notice that rows were read with it, and may
 * the user read all that this level and those around it read?
 */
extern bool ssdpar_look_possible(PlannerInfo *root);

/* May the query's user see this relation's rows, and is it a heap? */
extern bool ssdpar_look_allowed(PlannerInfo *root, RelOptInfo *rel);

/*
 * Can clause be evaluated while planning: does it never raise an error, and
 * need nothing but columns?
 */
extern bool ssdpar_look_can_evaluate(PlannerInfo *root, Node *clause);

#endif							/* SSDPAR_STAR_ACCESS_H */
