/*
 * star.h
 *		Recognising a star query in the planner's data.
 */
#ifndef SSDPAR_STAR_H
#define SSDPAR_STAR_H

#include "nodes/pathnodes.h"

/*
 * A star: one large plain table, the fact, and the dimensions that hang on it
 * by equality joins, directly or through one another.  A fact alone is a star
 * without dimensions.
 */
typedef struct SsdparStar
{
	RelOptInfo *fact;
	Relids		dimensions;
} SsdparStar;

/*
 * Fill *star and return true when the query level at root is a star.
 * Otherwise return false, with *reason a constant string that says in words
 * why not (for EXPLAIN VERBOSE), or NULL when nobody would expect a star.
 * Callable once the sizes of all base relations are known.
 */
extern bool ssdpar_find_star(PlannerInfo *root, SsdparStar *star,
							 const char **reason);

/* Is rel a plain table whose rows ssdpar may hand out itself? */
extern bool ssdpar_is_plain_table(PlannerInfo *root, RelOptInfo *rel);

#endif							/* SSDPAR_STAR_H */
