/*
 * shard_tables.h
 *		Finds the foreign tables that a fact consists of.
 */
#ifndef SSDPAR_SHARDS_TABLES_H
#define SSDPAR_SHARDS_TABLES_H

#include "nodes/pathnodes.h"

#include "shards/link/link.h"

/* One foreign table, and what is known of its server. */
typedef struct SsdparShard
{
	RelOptInfo *rel;
	SsdparLink	link;			/* measured, or the default */
	int			place;			/* equal for servers at the same address */
	bool		async;			/* may be read concurrently with other places */
	bool		takes_filters;	/* ssdpar.in_key_filter() may be sent there */
	bool		estimates;		/* is asked for cost estimates */
} SsdparShard;

/*
 * The postgres_fdw tables (RelOptInfo) that a query reads as fact, a base
 * relation, or as partitions of it, if nothing but foreign paths reads them.
 */
extern List *ssdpar_shard_tables(PlannerInfo *root, RelOptInfo *fact);

/* Returns an array in the order of tables. */
extern SsdparShard *ssdpar_shards_of(PlannerInfo *root, List *tables);

#endif							/* SSDPAR_SHARDS_TABLES_H */
