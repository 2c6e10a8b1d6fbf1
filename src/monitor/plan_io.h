/*
 * plan_io.h
 *		Announces what a query will read to other sessions.
 */
#ifndef SSDPAR_PLAN_IO_H
#define SSDPAR_PLAN_IO_H

#include "executor/execdesc.h"

/*
 * To be called when a query has been started.  Until the query's memory is
 * released, other sessions count the requests that it will keep outstanding.
 * Does nothing without shared memory, in a parallel worker (its leader
 * announces for it), or if the plan reads no large table from a calibrated
 * device.
 */
extern void ssdpar_plan_io_announce(QueryDesc *query);

/*
 * Will the plan end before its reads can affect others?  Then we do not walk
 * it, because that would slow down lookups by key.
 */
extern bool ssdpar_plan_is_short(const PlannedStmt *statement);

/* Does this plan node itself read a table? */
extern bool ssdpar_plan_reads_table(const Plan *plan);

/*
 * Is this range table entry a table that is large enough for the cost model?
 * If so, sets its OID, tablespace and pages.
 */
extern bool ssdpar_plan_large_table(PlannedStmt *statement, Index relid,
									Oid *table, Oid *tablespace,
									BlockNumber *npages);

#endif							/* SSDPAR_PLAN_IO_H */
