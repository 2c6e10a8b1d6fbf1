/*
 * calibration.h
 *		Calibrates a tablespace.
 */
#ifndef SSDPAR_CALIBRATION_H
#define SSDPAR_CALIBRATION_H

#include "probe/plan.h"

typedef struct SsdparCalibration
{
	Oid			tablespace;
	const char *name;			/* the tablespace's */
	ProbeOptions options;
} SsdparCalibration;

/*
 * Changes OPTIONS to those of a quick calibration, except for more modest
 * ones.
 */
extern void ssdpar_calibration_make_quick(ProbeOptions *options);

/* Raises an error if the options are invalid. */
extern void ssdpar_calibration_check(const SsdparCalibration *calibration);

/*
 * Measures, and stores the profile.  The caller has locked the tablespace
 * (ssdpar_profiles_lock_calibration()).
 */
extern void ssdpar_calibration_run(const SsdparCalibration *calibration);

#endif							/* SSDPAR_CALIBRATION_H */
