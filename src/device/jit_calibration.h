/*
 * jit_calibration.h
 *		Measures what compiling expressions takes on this machine.
 */
#ifndef SSDPAR_JIT_CALIBRATION_H
#define SSDPAR_JIT_CALIBRATION_H

#include "device/machine.h"

/* All zero where the server has no compiler, or jit is off in this session. */
extern void ssdpar_jit_calibration_measure(SsdparCompileTimes *times);

#endif							/* SSDPAR_JIT_CALIBRATION_H */
