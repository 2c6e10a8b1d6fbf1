/*
 * memory_calibration.h
 *		Measures what an access to memory takes that no cache holds.
 */
#ifndef SSDPAR_MEMORY_CALIBRATION_H
#define SSDPAR_MEMORY_CALIBRATION_H

#include "device/machine.h"

/* Sets memory_access_seconds and cache_bytes; takes 64 MB for a moment. */
extern void ssdpar_memory_calibration_measure(SsdparMachine *machine);

#endif							/* SSDPAR_MEMORY_CALIBRATION_H */
