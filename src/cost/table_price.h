/*
 * table_price.h
 *		What a page of one table costs under the model, in planner units.
 */
#ifndef SSDPAR_TABLE_PRICE_H
#define SSDPAR_TABLE_PRICE_H

#include "nodes/pathnodes.h"

#include "cost/tablespace_model.h"

/* A table whose scans are being priced. */
typedef struct SsdparTablePrice
{
	PlannerInfo *root;
	RelOptInfo *rel;
	Oid			tablespace;		/* rel->reltablespace may be put aside */
	SsdparModel model;
	SsdparResidency resident;
	double		runs;			/* of the query level, that share what they
								 * read */
} SsdparTablePrice;

/* The same for an index of it; on a tablespace without a profile, the same. */
extern SsdparTablePrice ssdpar_price_as_index(const SsdparTablePrice *table,
											  const IndexOptInfo *index,
											  Oid tablespace);

/* A predicted time. */
extern Cost ssdpar_seconds_cost(const SsdparTablePrice *table,
								double seconds);

/* One page out of many reads of that kind, by so many workers. */
extern Cost ssdpar_page_cost(const SsdparTablePrice *table,
							 SsdparReads reads, int workers);

/*
 * One page of the table at any place, at that depth: its read, and the wait for
 * memory where it is there.
 */
extern Cost ssdpar_any_page_cost(const SsdparTablePrice *table, double depth,
								 int workers);

/* The wait for memory alone, in seconds. */
extern double ssdpar_visit_seconds(const SsdparTablePrice *table);

/* Coming back to a page of the table, in any order. */
extern Cost ssdpar_page_again_cost(const SsdparTablePrice *table);

#endif							/* SSDPAR_TABLE_PRICE_H */
