/*
 * memory_calibration.h
 *		Measures the time of a memory access that misses all caches.
 */
#ifndef SSDPAR_MEMORY_CALIBRATION_H
#define SSDPAR_MEMORY_CALIBRATION_H

#include "device/machine.h"

/*
 * Sets memory_access_seconds and cache_bytes.  Temporarily allocates 64 MB, or
 * up to 512 MB if the caches are large, but at most the size of shared
 * buffers.
 */
extern void ssdpar_memory_calibration_measure(SsdparMachine *machine);

#endif							/* SSDPAR_MEMORY_CALIBRATION_H */
