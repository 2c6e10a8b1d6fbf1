/*
 * profile_drift.h
 *		Records how far recent reads of each tablespace deviate from its
 *		profile.
 */
#ifndef SSDPAR_PROFILE_DRIFT_H
#define SSDPAR_PROFILE_DRIFT_H

/* Is it recorded?  Not without shared memory. */
extern bool ssdpar_drift_recorded(void);

/*
 * Records that the reads of one query took RATIO times as long as predicted.
 * Logs, at most once a day, that the profile has become inaccurate.
 */
extern void ssdpar_drift_record(Oid tablespace, double ratio);

/*
 * How many times as long as predicted recent reads of a tablespace took; 0 if
 * too few were measured since the profile was stored.
 */
extern double ssdpar_drift_of(Oid tablespace);

/* Forgets the record, because the profile has changed. */
extern void ssdpar_drift_forget(Oid tablespace);

/* The part of shared memory that hooks.c gives it when the server starts. */
extern Size ssdpar_drift_shmem_size(void);
extern void ssdpar_drift_shmem_init(void *part);

#endif							/* SSDPAR_PROFILE_DRIFT_H */
