/*
 * star.h
 *		Which tables of a query are facts, and whether the query is a star.
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
 * The next table of the query level that may be a fact of its own, the largest
 * first: one with joins by equality, plain or a parent of others, of at least
 * min_pages and not in *seen.  It is added to *seen, and so is every relation
 * passed over.  NULL if there is none.
 */
extern RelOptInfo *ssdpar_next_fact(PlannerInfo *root, double min_pages,
									Relids *seen);

/*
 * Fill *star and return true when the whole query level at root is one star.
 * Otherwise return false, with *refusal the reason, or SSDPAR_ACCEPTED where
 * no one expects a star.
 */
extern bool ssdpar_find_star(PlannerInfo *root, SsdparStar *star,
							 SsdparRefusal *refusal);

/* Is rel, a table, read by way of others: partitioned, or inherited from? */
extern bool ssdpar_is_parent(PlannerInfo *root, const RelOptInfo *rel);

/* The children of a parent, one level down, that the query reads. */
extern List *ssdpar_live_partitions(PlannerInfo *root, const RelOptInfo *rel);

#endif							/* SSDPAR_STAR_H */
