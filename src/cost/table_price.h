/*
 * table_price.h
 *		Prices a page of one table under the model, in planner units.
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
	Oid			tablespace;		/* rel->reltablespace may be replaced */
	SsdparModel model;
	SsdparResidency resident;
	double		runs;			/* of the query level; they share what they
								 * read */
} SsdparTablePrice;

/*
 * The prices for an index of the table.  If the index's tablespace has no
 * profile, the table's are used.
 */
extern SsdparTablePrice ssdpar_price_as_index(const SsdparTablePrice *table,
											  const IndexOptInfo *index,
											  Oid tablespace);

/* Converts a predicted time. */
extern Cost ssdpar_seconds_cost(const SsdparTablePrice *table,
								double seconds);

/* Price of one page out of many such reads, in this number of workers. */
extern Cost ssdpar_page_cost(const SsdparTablePrice *table,
							 SsdparReads reads, int workers);

/*
 * Price of a table page at a random position, read at this depth: its read,
 * and the memory access if it is in memory.
 */
extern Cost ssdpar_any_page_cost(const SsdparTablePrice *table, double depth,
								 int workers);

/* Only the memory access, in seconds. */
extern double ssdpar_visit_seconds(const SsdparTablePrice *table);

/* Price of revisiting a page of the table, in any order. */
extern Cost ssdpar_page_again_cost(const SsdparTablePrice *table);

#endif							/* SSDPAR_TABLE_PRICE_H */
