/*
 * names.h
 *		Names of our custom scans, as EXPLAIN shows them and copies of plans are
 *		read back by.
 */
#ifndef SSDPAR_CUSTOM_SCAN_NAMES_H
#define SSDPAR_CUSTOM_SCAN_NAMES_H

#define SSDPAR_STAR_SCAN "SsdparStarScan"

/* Its path has the star scans of all partitions as its only custom path. */
#define SSDPAR_STAR_KEYS "SsdparStarKeys"

/* The plan of an InitPlan, of no path. */
#define SSDPAR_SHARD_KEYS "SsdparShardKeys"

#define SSDPAR_PARTITION_SCAN "SsdparPartition"

/*
 * Its path has the outer path as its only custom path, and all conditions that
 * it evaluates as custom_private.
 */
#define SSDPAR_INDEX_JOIN "SsdparIndexJoin"

#endif							/* SSDPAR_CUSTOM_SCAN_NAMES_H */
