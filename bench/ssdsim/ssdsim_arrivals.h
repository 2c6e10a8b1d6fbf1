/*
 * ssdsim_arrivals.h
 *		An open loop: requests come at times of their own, however long the
 *		device takes.
 */
#ifndef SSDSIM_ARRIVALS_H
#define SSDSIM_ARRIVALS_H

#include "ssdsim_load.h"

/*
 * Run LOAD's first loop at its rate, on an array that nothing was handed to
 * before.
 */
extern void ssdsim_arrivals_run(const SsdsimLoad *load, SsdsimRun *run);

#endif							/* SSDSIM_ARRIVALS_H */
