/*
 * shard_tables.h
 *		The foreign tables that a fact consists of.
 */
#ifndef SSDPAR_SHARDS_TABLES_H
#define SSDPAR_SHARDS_TABLES_H

#include "nodes/pathnodes.h"

#include "shards/link/link.h"

/* One of them, and what is known of its server. */
typedef struct SsdparShard
{
	RelOptInfo *rel;
	SsdparLink	link;			/* as measured, or supposed */
	int			place;			/* the same number: the same address */
	bool		async;			/* may be read beside those at other places */
	bool		takes_filters;	/* ssdpar.in_key_filter() may be sent there */
	bool		estimates;		/* is asked what its queries cost */
} SsdparShard;

/*
 * Those of postgres_fdw that a query reads as fact, a base relation, or as
 * parts of it (RelOptInfo): only such as are read by its paths alone.
 */
extern List *ssdpar_shard_tables(PlannerInfo *root, RelOptInfo *fact);

/* What is known of the servers of such tables: an array, in their order. */
extern SsdparShard *ssdpar_shards_of(PlannerInfo *root, List *tables);

#endif							/* SSDPAR_SHARDS_TABLES_H */
