/*
 * cpu_calibration.h
 *		Measures what the planner's cost unit and the pages that are not read
 *		from the device cost this machine's processors.
 */
#ifndef SSDPAR_CPU_CALIBRATION_H
#define SSDPAR_CPU_CALIBRATION_H

#include "device/machine.h"

/*
 * Measures in about a second, in a file without a name in DIRECTORY, and by
 * queries: call it within a transaction, not connected to SPI.  Raises an
 * error if the file cannot be used.
 */
extern void ssdpar_cpu_calibration_measure(const char *directory,
										   SsdparMachine *machine);

#endif							/* SSDPAR_CPU_CALIBRATION_H */
