/*
 * ssdsim_partitions.h
 *		A table in four partitions, on one device or several, scanned by one
 *		process each with the daemon ahead of them.
 */
#ifndef SSDSIM_PARTITIONS_H
#define SSDSIM_PARTITIONS_H

#include "ssdsim_process.h"

#define SSDSIM_PARTITIONS 4

/*
 * ns until the last process has read its partition, without computing, which
 * shows how busy the devices are kept.  NDEVICES is 1, 2 or 4, DEPTH the
 * saturation depth of each.
 */
extern int64_t ssdsim_partitions_scan(const SsdsimSpec *spec, int ndevices,
									  uint32_t depth);

#endif							/* SSDSIM_PARTITIONS_H */
