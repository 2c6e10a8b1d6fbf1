/*
 * names.h
 *		Names of our custom scans, which EXPLAIN shows and by which copies
 *		of plans are read back.
 */
#ifndef SSDPAR_CUSTOM_SCAN_NAMES_H
#define SSDPAR_CUSTOM_SCAN_NAMES_H

#define SSDPAR_STAR_SCAN "SsdparStarScan"

/* Its only custom path is the Append of the star scans of all partitions. */
#define SSDPAR_STAR_KEYS "SsdparStarKeys"

/* The plan of an InitPlan, without a path. */
#define SSDPAR_SHARD_KEYS "SsdparShardKeys"

#define SSDPAR_PARTITION_SCAN "SsdparPartition"

/*
 * Its path has the outer path as its only custom path, and all conditions that
 * it evaluates in custom_private.
 */
#define SSDPAR_INDEX_JOIN "SsdparIndexJoin"

#endif							/* SSDPAR_CUSTOM_SCAN_NAMES_H */
