/*
 * cpu_calibration.h
 *		Measures the CPU time of the planner's cost unit, and of pages that are
 *		not read from the device.
 */
#ifndef SSDPAR_CPU_CALIBRATION_H
#define SSDPAR_CPU_CALIBRATION_H

#include "device/machine.h"

/*
 * Uses a file without a name in DIRECTORY, and queries, so it must be called
 * in a transaction and not connected to SPI.  Raises an error if the file
 * cannot be used.
 */
extern void ssdpar_cpu_calibration_measure(const char *directory,
										   SsdparMachine *machine);

#endif							/* SSDPAR_CPU_CALIBRATION_H */
