/*
 * profile_drift.h
 *		How far the reads of each tablespace have lately been from its profile.
 */
#ifndef SSDPAR_PROFILE_DRIFT_H
#define SSDPAR_PROFILE_DRIFT_H

/* Is a record kept?  Not without shared memory. */
extern bool ssdpar_drift_recorded(void);

/*
 * The reads of one query took RATIO times what the profile says.  Says in
 * the log, at most once a day, that the profile does not fit any more.
 */
extern void ssdpar_drift_record(Oid tablespace, double ratio);

/*
 * How many times as long as predicted reads on a tablespace have taken lately,
 * 0 if too few were measured since the profile was stored.
 */
extern double ssdpar_drift_of(Oid tablespace);

/* Its profile has changed: what was measured says nothing about the new one. */
extern void ssdpar_drift_forget(Oid tablespace);

/* The part of shared memory that hooks.c gives it when the server starts. */
extern Size ssdpar_drift_shmem_size(void);
extern void ssdpar_drift_shmem_init(void *part);

#endif							/* SSDPAR_PROFILE_DRIFT_H */
