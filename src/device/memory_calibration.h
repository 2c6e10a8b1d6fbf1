/*
 * memory_calibration.h
 *		Measures what an access to memory takes that no cache holds.
 */
#ifndef SSDPAR_MEMORY_CALIBRATION_H
#define SSDPAR_MEMORY_CALIBRATION_H

#include "device/machine.h"

/*
 * Sets memory_access_seconds and cache_bytes; takes 64 MB for a moment, or up
 * to 512 MB if the caches are large, but not more than the shared buffers.
 */
extern void ssdpar_memory_calibration_measure(SsdparMachine *machine);

#endif							/* SSDPAR_MEMORY_CALIBRATION_H */
