/*
 * profile.h
 *		The device profile of a tablespace, for the planner and for reads ahead.
 *
 * Reading a profile never fails and never waits: without a usable one the
 * answer is NULL and the caller plans as the server does.  The numbers are
 * got with the accessors of interpolate.h.
 */
#ifndef SSDPAR_PROFILE_H
#define SSDPAR_PROFILE_H

#include "device_row.h"
#include "interpolate.h"

/*
 * The profile of TABLESPACE (InvalidOid: the database's default), or NULL if
 * there is none or it makes no sense; the latter is said in one WARNING a
 * backend and tablespace.  Valid until the
 * transaction ends.
 * A hash lookup when cached.  Always NULL in a parallel worker: plans are
 * made by the leader.
 */
extern const SsdparProfile *ssdpar_profile_get(Oid tablespace);

/*
 * The same for whoever executes a plan: in a parallel worker, too, which reads
 * as deep as its leader and yields as much.  There it never warns.
 */
extern const SsdparProfile *ssdpar_profile_for_reading(Oid tablespace);

/*
 * What belongs to the profile of TABLESPACE for the cost model: the machine's
 * CPU times and the kernel's read-ahead.  NULL, with the same WARNING, if the
 * profile was measured on another device or these make no sense; and whenever
 * ssdpar_profile_get() gives NULL.  Else *PROFILE is what that gives, and both
 * are valid equally long.
 */
extern const SsdparDeviceRow *ssdpar_device_get(Oid tablespace,
												const SsdparProfile **profile);

/* Why ssdpar_device_get() gives NULL; NULL if it does not.  Never warns. */
extern const char *ssdpar_device_problem(Oid tablespace);

#endif							/* SSDPAR_PROFILE_H */
