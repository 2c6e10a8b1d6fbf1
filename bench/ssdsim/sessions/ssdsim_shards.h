/*
 * ssdsim_shards.h
 *		A list of pages, divided among shards with one device each.
 */
#ifndef SSDSIM_SHARDS_H
#define SSDSIM_SHARDS_H

#include "ssdsim_process.h"

#define SSDSIM_MOST_SHARDS 64

/*
 * ns until the last of NSHARDS servers has read its share of PAGES, each with
 * its own daemon ahead of it.  A share is at least one page.  DEPTH is the
 * saturation depth of each device.
 */
extern int64_t ssdsim_shards_read(const SsdsimSpec *spec, int nshards,
								  uint64_t pages, uint32_t depth);

#endif							/* SSDSIM_SHARDS_H */
