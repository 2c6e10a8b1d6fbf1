/*
 * measure_drift.h
 *		Measures whether a device is still as fast as its profile says.
 */
#ifndef SSDPAR_MEASURE_DRIFT_H
#define SSDPAR_MEASURE_DRIFT_H

#include "executor/execdesc.h"

#include "cost/tablespace_model.h"

/* One run of a query, with the resources used before it. */
typedef struct SsdparDriftRun
{
	bool		measured;
	Oid			tablespace;
	SsdparReads reads;			/* their kind; the number of pages is set
								 * later */
	uint64		asked;			/* requests to the daemon and the server */
	double		seconds;
	double		busy_seconds;	/* computing, or waiting for a processor */
	int64		device_bytes;
} SsdparDriftRun;

/*
 * May this query, which is about to run to its end, be measured?  Not if it is
 * short, runs in a parallel worker, or there is no shared memory.
 */
extern bool ssdpar_drift_wanted(const QueryDesc *query);

/*
 * To be called before such a query runs.  It is measured if it waits for all
 * its reads of large tables itself, in one pattern, and is not nested.
 */
extern void ssdpar_drift_begin(SsdparDriftRun *run, QueryDesc *query);

/* To be called after it, or after an error in it or in begin. */
extern void ssdpar_drift_end(const SsdparDriftRun *run);
extern void ssdpar_drift_failed(void);

#endif							/* SSDPAR_MEASURE_DRIFT_H */
