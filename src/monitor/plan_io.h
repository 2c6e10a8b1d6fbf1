/*
 * plan_io.h
 *		What a query that starts is going to read.
 */
#ifndef SSDPAR_PLAN_IO_H
#define SSDPAR_PLAN_IO_H

#include "executor/execdesc.h"

/*
 * A query has been started: until its memory goes away, other sessions count
 * the requests that it is going to keep outstanding.  Nothing without shared
 * memory, in a parallel worker (its leader speaks for it), or for a plan that
 * reads no large table from a calibrated device.
 */
extern void ssdpar_plan_io_announce(QueryDesc *query);

/*
 * Is the plan over before its reads matter to anyone?  Then it is not walked
 * for them: a lookup by key would take a tenth longer.
 */
extern bool ssdpar_plan_is_short(const PlannedStmt *statement);

/* Does this plan node read a table by itself? */
extern bool ssdpar_plan_reads_table(const Plan *plan);

/*
 * Is the relation of that range table entry a table large enough for the cost
 * model?  Then its OID, tablespace and pages.
 */
extern bool ssdpar_plan_large_table(PlannedStmt *statement, Index relid,
									Oid *table, Oid *tablespace,
									BlockNumber *npages);

#endif							/* SSDPAR_PLAN_IO_H */
