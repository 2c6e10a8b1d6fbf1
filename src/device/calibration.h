/*
 * calibration.h
 *		One calibration of a tablespace, whoever asked for it.
 */
#ifndef SSDPAR_CALIBRATION_H
#define SSDPAR_CALIBRATION_H

#include "probe/plan.h"

typedef struct SsdparCalibration
{
	Oid			tablespace;
	const char *name;			/* the tablespace's */
	ProbeOptions options;

	/*
	 * Asked ten times a second while the device is measured, or NULL; false
	 * ends it.  May raise an error, but take no lock.
	 */
	bool		(*go_on) (void *arg);

	/* Told how many bytes the scratch file has, or NULL. */
	void		(*reserved) (void *arg, int64 file_size);

	/* Asked when all has been measured, or NULL; false: it is not kept. */
	bool		(*may_keep) (void *arg);
	void	   *arg;
} SsdparCalibration;

/* Makes OPTIONS those of a first look, unless they are more modest. */
extern void ssdpar_calibration_make_quick(ProbeOptions *options);

/* Raises an error if its options cannot be. */
extern void ssdpar_calibration_check(const SsdparCalibration *calibration);

/*
 * Measures, and keeps the profile when the transaction commits.  The caller has
 * locked the tablespace (ssdpar_profiles_lock_calibration()).  False, and
 * nothing is kept, if go_on() or may_keep() said so; errors for all else that
 * prevents it.
 */
extern bool ssdpar_calibration_run(const SsdparCalibration *calibration);

#endif							/* SSDPAR_CALIBRATION_H */
