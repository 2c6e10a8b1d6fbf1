/*
 * profile_replace.h
 *		Puts a profile in the place of another, of which some may stay.
 */
#ifndef SSDPAR_PROFILE_REPLACE_H
#define SSDPAR_PROFILE_REPLACE_H

#include "device/stored_profile.h"

/* What one may leave to the next. */
typedef struct SsdparKept
{
	SsdparStoredDevice device;
	int			nwrites;
	SsdparStoredPoint *writes;
} SsdparKept;

/* Takes the tablespace's profile out.  NULL if there is none. */
extern SsdparKept *ssdpar_profile_take_out(SsdparStored *stored,
										   Oid tablespace);

/* Add one; errors if it is there already, or if there are too many. */
extern void ssdpar_profile_add(SsdparStored *stored,
							   const SsdparStoredDevice *device);
extern void ssdpar_profile_add_point(SsdparStored *stored,
									 const SsdparStoredPoint *point);

/*
 * The new profile, of the same device and there by now, gets of the one that
 * was taken out what it has nothing of itself: the CPU times, what was probed
 * of the inside, and writes; each all or none, as those of two calibrations may
 * not fit together.
 */
extern void ssdpar_profile_keep(SsdparStored *stored, const SsdparKept *kept);

#endif							/* SSDPAR_PROFILE_REPLACE_H */
