/*
 * star.h
 *		Identifies facts, and queries that are a single star.
 */
#ifndef SSDPAR_STAR_H
#define SSDPAR_STAR_H

#include "nodes/pathnodes.h"

#include "star/refusal.h"

/*
 * A query level that is one star: the largest relation, a plain table, is the
 * fact, and all others are its dimensions, joined with it by equality directly
 * or through one another.  A fact alone is a star without dimensions.
 */
typedef struct SsdparStar
{
	RelOptInfo *fact;
	Relids		dimensions;
} SsdparStar;

/*
 * Returns the next table of the query level that may be a fact, the largest
 * first; NULL if there is none.  It must be a plain table or a parent, have
 * equality joins, have at least min_pages, and not be in *seen.  The table and
 * all relations passed over are added to *seen.
 */
extern RelOptInfo *ssdpar_next_fact(PlannerInfo *root, double min_pages,
									Relids *seen);

/*
 * Returns true and fills *star if the whole query level at root is one star.
 * Otherwise *refusal is the reason, or SSDPAR_ACCEPTED if no star is expected.
 */
extern bool ssdpar_find_star(PlannerInfo *root, SsdparStar *star,
							 SsdparRefusal *refusal);

/*
 * Is rel, a table, read through its children, because it is partitioned or
 * inherited from?
 */
extern bool ssdpar_is_parent(PlannerInfo *root, const RelOptInfo *rel);

/* Returns the children of a parent, one level down, that the query reads.  */
extern List *ssdpar_live_partitions(PlannerInfo *root, const RelOptInfo *rel);

#endif							/* SSDPAR_STAR_H */
