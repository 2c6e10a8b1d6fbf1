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
 * May a query be measured that is about to run to its end?  Not one in a
 * parallel worker, without shared memory, or that is short.
 */
extern bool ssdpar_drift_wanted(const QueryDesc *query);

/*
 * Such a query begins.  It is measured if it waits for all of its reads of
 * large tables itself, in one way; nothing inside of another one.
 */
extern void ssdpar_drift_begin(SsdparDriftRun *run, QueryDesc *query);

/* It has come to its end; or to an error, in it or in begin. */
extern void ssdpar_drift_end(const SsdparDriftRun *run);
extern void ssdpar_drift_failed(void);

#endif							/* SSDPAR_MEASURE_DRIFT_H */
