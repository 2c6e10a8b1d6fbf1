/*
 * drift.h
 *		Does a device still take what its profile says?
 */
#ifndef SSDPAR_DRIFT_H
#define SSDPAR_DRIFT_H

#include "executor/execdesc.h"

#include "cost/context.h"

/* One run of a query: what had been used before it. */
typedef struct SsdparDriftRun
{
	bool		measured;
	Oid			tablespace;
	SsdparReads reads;			/* of its kind; the pages are not known yet */
	double		seconds;
	double		busy_seconds;	/* computing, or waiting for a processor */
	int64		device_bytes;
} SsdparDriftRun;

/*
 * A query is about to run, to its end if complete.  It is measured if it waits
 * for all of its reads of large tables itself, in one way; nothing inside of
 * another query, in a parallel worker or without shared memory.
 */
extern void ssdpar_drift_begin(SsdparDriftRun *run, QueryDesc *query,
							   bool complete);

/* It has come to its end; or to an error, in it or in begin. */
extern void ssdpar_drift_end(const SsdparDriftRun *run);
extern void ssdpar_drift_failed(void);

/*
 * How many times as long as predicted reads on a tablespace have taken lately,
 * 0 if too few were measured since the profile was stored.
 */
extern double ssdpar_drift_of(Oid tablespace);

/* A profile has changed: what was measured says nothing about the new one. */
extern void ssdpar_drift_forget(void);

/* For the hooks of the same names. */
extern void ssdpar_drift_request_shmem(void);
extern void ssdpar_drift_attach_shmem(void);

#endif							/* SSDPAR_DRIFT_H */
