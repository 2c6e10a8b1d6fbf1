/*
 * ssdsim_arrivals.h
 *		An open loop: requests arrive at their own times, no matter how long
 *		the device takes.
 */
#ifndef SSDSIM_ARRIVALS_H
#define SSDSIM_ARRIVALS_H

#include "ssdsim_load.h"

/* Runs LOAD's first loop at its rate, on an unused array. */
extern void ssdsim_arrivals_run(const SsdsimLoad *load, SsdsimRun *run);

#endif							/* SSDSIM_ARRIVALS_H */
