/*
 * profile.h
 *		Device profiles of tablespaces, for the planner and for prefetching.
 *
 * Reading a profile never fails or waits.  If there is no usable profile, the
 * result is NULL, and the caller plans as the server does.  Use the accessors
 * of interpolate.h for its numbers.
 */
#ifndef SSDPAR_PROFILE_H
#define SSDPAR_PROFILE_H

#include "device_row.h"
#include "interpolate.h"

/*
 * The profile of TABLESPACE (InvalidOid: the database's default), or NULL if
 * there is none or it is invalid; the latter is reported by one WARNING per
 * backend and tablespace.  Valid until the transaction ends.  A hash lookup if
 * cached.  Always NULL in a parallel worker, because its leader plans.
 */
extern const SsdparProfile *ssdpar_profile_get(Oid tablespace);

/*
 * The same for execution.  Works in parallel workers too, so that they read as
 * deep as their leader and yield as often.  Never warns.
 */
extern const SsdparProfile *ssdpar_profile_for_reading(Oid tablespace);

/*
 * The part of TABLESPACE's profile that only the cost model uses: the
 * machine's CPU times and the kernel's read-ahead.  NULL, with the same
 * WARNING, if the profile was measured on another device or these are invalid,
 * and whenever ssdpar_profile_get() returns NULL.  Otherwise *PROFILE is set
 * to the result of that function, and both are valid equally long.
 */
extern const SsdparDeviceRow *ssdpar_device_get(Oid tablespace,
												const SsdparProfile **profile);

/*
 * Why ssdpar_device_get() returns NULL, or NULL if it does not.  Never warns.
 */
extern const char *ssdpar_device_problem(Oid tablespace);

#endif							/* SSDPAR_PROFILE_H */
