/*
 * calibration.h
 *		One calibration of a tablespace.
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

/* Makes OPTIONS those of a first look, unless they are more modest. */
extern void ssdpar_calibration_make_quick(ProbeOptions *options);

/* Raises an error if its options cannot be. */
extern void ssdpar_calibration_check(const SsdparCalibration *calibration);

/*
 * Measures, and stores the profile.  The caller has locked the tablespace
 * (ssdpar_profiles_lock_calibration()).
 */
extern void ssdpar_calibration_run(const SsdparCalibration *calibration);

#endif							/* SSDPAR_CALIBRATION_H */
