/*
 * measure_drift.h
 *		Measures whether a device still takes what its profile says.
 */
#ifndef SSDPAR_MEASURE_DRIFT_H
#define SSDPAR_MEASURE_DRIFT_H

#include "executor/execdesc.h"

#include "cost/tablespace_model.h"

/* One run of a query: what had been used before it. */
typedef struct SsdparDriftRun
{
	bool		measured;
	Oid			tablespace;
	SsdparReads reads;			/* of its kind; the pages are not known yet */
	uint64		asked;			/* of the daemon, and of the server */
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

#endif							/* SSDPAR_MEASURE_DRIFT_H */
