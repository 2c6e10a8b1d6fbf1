/*
 * ssdsim_disk.h
 *		A disk with one head: seek, rotation, transfer, in order of arrival.
 */
#ifndef SSDSIM_DISK_H
#define SSDSIM_DISK_H

#include "ssdsim_spec.h"

typedef struct SsdsimDisk
{
	SsdsimSpec	spec;
	uint64_t	random;
	uint64_t	head;			/* its address */
	int64_t		free;			/* busy until */
} SsdsimDisk;

extern void ssdsim_disk_init(SsdsimDisk *disk, const SsdsimSpec *spec,
							 uint64_t seed);

/* When a request that arrives at NOW is complete. */
extern int64_t ssdsim_disk_serve(SsdsimDisk *disk, uint64_t address,
								 uint64_t bytes, int64_t now);

#endif							/* SSDSIM_DISK_H */
