/*
 * ssdsim_recorded.h
 *		Times of pairs as lines of CSV, and comparisons with them.
 */
#ifndef SSDSIM_RECORDED_H
#define SSDSIM_RECORDED_H

#include <stdio.h>

#include "bench/ssdsim/ssdsim_error.h"

#include "ssdsim_pairs.h"

/* device,mode,target,co_runner,microseconds */
extern void ssdsim_recorded_head(FILE *file);
extern void ssdsim_recorded_line(FILE *file, const char *device,
								 const SsdsimPair *pair, int64_t time);

/*
 * Runs the pairs of RECORDED under RULES.  Returns the number of worse ones,
 * each of which is reported in a line of REPORT; negative with a message if
 * the file is invalid.  FOLDER has the devices.
 */
extern int	ssdsim_recorded_compare(FILE *recorded, const char *filename,
									const char *folder,
									const SsdpardRules *rules, FILE *report,
									SsdsimError *error);

#endif							/* SSDSIM_RECORDED_H */
