/*
 * shard_tables.h
 *		The foreign tables that a fact consists of.
 */
#ifndef SSDPAR_SHARDS_TABLES_H
#define SSDPAR_SHARDS_TABLES_H

#include "nodes/pathnodes.h"

#include "shards/link/link.h"

/*
 * Those of postgres_fdw that a query reads as fact, a base relation, or as
 * parts of it (RelOptInfo): only such as are read by its paths alone.
 */
extern List *ssdpar_shard_tables(PlannerInfo *root, RelOptInfo *fact);

/*
 * The link to the server of such a table: as measured, or supposed; and what
 * its options say.
 */
extern SsdparLink ssdpar_link_of(PlannerInfo *root, const RelOptInfo *shard);

#endif							/* SSDPAR_SHARDS_TABLES_H */
